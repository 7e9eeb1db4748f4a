// The operations of a gateway: their services, and the viewers that are notified of changes.

import { LogFollowers } from "../api/gateway/gateway.ts";
import type { OpenedState } from "../api/home/open-state.ts";
import type { Homes } from "../api/homes/homes.ts";
import { operations } from "../api/index.ts";
import { createTryModel, tryBothSides } from "../api/models/try-model.ts";
import { OpenQuestions } from "../api/questions.ts";
import { createRunner, type RunOperation } from "../api/run-operation.ts";
import type { GatewayServices } from "../api/services.ts";
import type { Problem } from "../config/problem.ts";
import type { Assistant } from "./build-assistant.ts";
import { toAssistantServices } from "./connect-operations.ts";

export interface OperationParts extends Pick<GatewayServices, "gateway" | "web"> {
  state: OpenedState;
  /** `--workspace` of the gateway. */
  workspace?: string;
  /** Of a process that serves several. */
  homes?: Homes;
  /** Uses the config file as it is now, and tells viewers; returns why that is impossible. */
  takeConfig(): Promise<Problem[]>;
}

export interface BuiltOperations {
  run: RunOperation;
  questions: OpenQuestions;
}

export function buildOperations(assistant: Assistant, parts: OperationParts): BuiltOperations {
  const { storage, messaging, models } = assistant;
  const { environment, loaded, config, count, lock } = storage;
  const { env, ids } = environment;
  const { hub } = messaging.sockets;
  const { bus, ledger, currency, cron, goals, triggers, pairing, tokens } = parts.state;
  const questions = new OpenQuestions(ids);
  const assistantServices = toAssistantServices(assistant, parts.takeConfig);
  const services: GatewayServices = {
    ...assistantServices,
    ...(parts.homes && { homes: parts.homes }),
    bus,
    ledger,
    currency,
    cron,
    goals,
    pairing,
    tokens,
    triggers,
    operations,
    removedJobs: new Map(),
    async dream(whose, signal, onProgress) {
      const outcome = await assistantServices.dream(whose, signal, onProgress);
      hub.publish({ type: "changed", topic: "memory" }, { person: whose.person });
      return outcome;
    },
    questions,
    gateway: parts.gateway,
    web: parts.web,
    models: {
      current: () => models.usual,
      try: (plan, signal) =>
        tryBothSides(
          plan,
          createTryModel({ loaded: config.loaded, env, signal, count, paths: environment.paths }),
        ),
    },
    learnLimits: (rows) => models.learn(rows),
    logFollowers: new LogFollowers({
      ...environment,
      isFollowed: () => hub.isFollowed("log"),
      tell: (line) => hub.publish({ type: "logged", line }, { followed: "log" }),
    }),
    started: {
      config: loaded.config,
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
