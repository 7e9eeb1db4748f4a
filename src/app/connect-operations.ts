// The last step of construction: slash commands and the cron tool call operations, so they are registered when there is a
// client for these.

import type { Command } from "../agent/commands.ts";
import { createSignInsLoader } from "../agent/models/load-sign-ins.ts";
import { type ClientFor, createClients } from "../api/client.ts";
import { toCommands } from "../api/commands/command.ts";
import { slashCommands } from "../api/commands/index.ts";
import { createSaveConfig } from "../api/config/save-config.ts";
import { openHomes } from "../api/homes/homes.ts";
import { createCronTool, createGoalTool } from "../api/jobs/cron-tool.ts";
import type { AssistantServices } from "../api/services.ts";
import { StagedSkills } from "../api/skills/staged-skills.ts";
import { isEnabledBlock } from "../channels/channel-kind.ts";
import { toModelInput } from "../config/model-input.ts";
import type { Problem } from "../config/problem.ts";
import type { Tool } from "../runner/tool.ts";
import { scopeOf } from "../storage/scope.ts";
import { type CronToolOptions, createCron } from "../tools/cron.ts";
import { createGoal } from "../tools/goal.ts";
import type { Assistant } from "./build-assistant.ts";

/** They are there without being enabled. */
const ownChannels = new Set(["cli", "web"]);

export function connectOperations(
  { commands, tools, storage }: Assistant,
  clientFor: ClientFor,
  more: readonly Command[] = [],
): void {
  const { clock, timeZone } = storage.environment;
  const canReach: CronToolOptions["canReach"] = ({ channel }) =>
    ownChannels.has(channel) || isEnabledBlock(storage.config.loaded.config.channels[channel]);
  commands.register([...toCommands(slashCommands, { clientFor, now: () => clock.now() }), ...more]);
  const cron = createCron(createCronTool(clientFor, { timeZone, canReach, undo: tools.undo })) as Tool;
  const goal = createGoal(createGoalTool(clientFor)) as Tool;
  tools.registry.add([cron, goal].map(tools.guard));
}

/** Operations in this process, or of the gateway that serves this home. */
export function createOwnClients(assistant: Assistant): ClientFor {
  const { environment, state, lock } = assistant.storage;
  const services = toAssistantServices(assistant, () => reloadConfig(assistant));
  const open = async () => services;
  return createClients({
    ...environment,
    ...services,
    state,
    lock,
    isApart: true,
    open: { installation: open, workspace: open, assistant: open },
  });
}

/** What operations of an assistant work on. `reload` uses a config that an operation saved. */
export function toAssistantServices(
  assistant: Assistant,
  reload: () => Promise<Problem[]>,
): AssistantServices {
  const { storage, loop, models, tools, chat, conversation, memoryOf, dreams } = assistant;
  const { environment, config, sessions } = storage;
  const { paths, env, workspace, clock, ids, log, timeZone, redactor } = environment;
  return {
    paths,
    env,
    workspace,
    clock,
    ids,
    log,
    timeZone,
    loaded: () => config.loaded,
    saveConfig: createSaveConfig({ paths, env, clock, reload }),
    stagedSkills: new StagedSkills(),
    signIns: createSignInsLoader(environment),
    homes: openHomes(paths, clock),
    skills: async () => tools.skills,
    chat,
    conversation,
    sessions,
    memoryOf,
    modelOf: (session) => models.of(session),
    redact: redactor.redactValues,
    inspect: (message) => loop.inspect(message),
    dream: (whose, signal, onProgress) => dreams.run(scopeOf(whose), signal, onProgress),
  };
}

/** Uses what the config says about models now; what cannot be used is returned, and nothing changes. */
export function reloadConfig({ storage, models }: Assistant): Promise<Problem[]> {
  const { env, redactor } = storage.environment;
  return storage.config.reload(async (fresh) => {
    const refusal = await models.use(toModelInput(fresh, env));
    if (refusal === undefined) for (const secret of fresh.secrets) redactor.add(secret);
    return refusal;
  });
}
