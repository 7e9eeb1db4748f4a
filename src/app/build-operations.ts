// The operations of a gateway: what they work on, and who is told of what they change.
import { createSaveConfig } from "../api/config/save-config.ts";
import { LogFollowers } from "../api/logs/logs.ts";
import { OpenQuestions } from "../api/questions.ts";
import { createRunner, type RunOperation } from "../api/run-operation.ts";
import type { GatewayServices } from "../api/services.ts";
import { StagedSkills } from "../api/skills/staged-skills.ts";
import { operations } from "../api/table.ts";
import type { Problem } from "../config/problem.ts";
import type { Clock } from "../lib/clock.ts";
import type { EventHub } from "../server/event-hub.ts";
import type { App } from "./build-app.ts";
import type { GatewayOptions } from "./build-gateway.ts";
import { createTryModel, tryBothSides } from "./onboard/try-model.ts";
import type { OpenedState } from "./open-state.ts";
import { personRoot } from "./person-folders.ts";

export interface OperationParts
  extends Pick<GatewayOptions, "paths" | "env" | "words" | "workspace">,
    Pick<GatewayServices, "gateway" | "web"> {
  app: App;
  /** Uses what the file says now, and tells viewers; gives why that cannot be. */
  takeConfig(): Promise<Problem[]>;
  state: OpenedState;
  hub: EventHub;
  clock: Clock;
}

export interface BuiltOperations {
  run: RunOperation;
  questions: OpenQuestions;
}

export function buildOperations(parts: OperationParts): BuiltOperations {
  const { app, state, hub, paths, env, clock, gateway, web } = parts;
  const { workspace, ids, log, timeZone, lock } = app;
  const { bus, ledger, currency, cron, pairing, tokens } = state;
  const questions = new OpenQuestions(ids);
  const services: GatewayServices = {
    paths,
    env,
    workspace,
    clock,
    ids,
    log,
    timeZone,
    loaded: () => app.current(),
    saveConfig: createSaveConfig({ paths, env, clock, reload: parts.takeConfig }),
    bus,
    ledger,
    currency,
    cron,
    pairing,
    tokens,
    operations,
    removedJobs: new Map(),
    chat: app.chat,
    conversation: app.conversation,
    sessions: app.sessions,
    skills: async () => app.skills,
    stagedSkills: new StagedSkills(),
    memoryOf: app.memoryOf,
    inspect: (message) => app.loop.inspect(message),
    modelOf: app.modelOf,
    redact: app.redact,
    async dream(whose, signal, onProgress) {
      const outcome = await app.dreams.run(personRoot(workspace, whose), signal, onProgress);
      hub.publish({ type: "changed", topic: "memory" }, { person: whose.person });
      return outcome;
    },
    questions,
    gateway,
    web,
    models: {
      current: () => app.currentModel(),
      try: (plan, signal) =>
        tryBothSides(plan, createTryModel({ loaded: app.current(), env, signal, count: app.count })),
    },
    logFollowers: new LogFollowers({
      folder: paths.logs,
      clock,
      background: app.background,
      isFollowed: () => hub.isFollowed("log"),
      tell: (line) => hub.publish({ type: "logged", line }, { followed: "log" }),
    }),
    started: {
      config: app.loaded.config,
      ...(parts.workspace !== undefined && { workspace: parts.workspace }),
    },
  };
  const run = createRunner({
    operations,
    services: async () => services,
    lock,
    onChange: (topic, { person }) => hub.publish({ type: "changed", topic }, { person }),
  });
  return { run, questions };
}
