// An assistant with the parts that tests look at most often in reach.
import type { Assistant } from "../../src/app/build-assistant.ts";
import { reloadConfig } from "../../src/app/connect-operations.ts";

export type AppFacts = ReturnType<typeof withFacts>;

export function withFacts<T extends Assistant>(app: T) {
  const { storage, messaging, models, tools, foreign } = app;
  const { environment, sessions, loaded, lock, config } = storage;
  const { workspace, log, background } = environment;
  return {
    ...app,
    workspace,
    log,
    background,
    sessions,
    loaded,
    lock,
    bus: messaging.bus,
    sockets: messaging.sockets,
    skills: tools.skills,
    model: models.usual,
    currentModel: () => models.usual,
    current: () => config.loaded,
    reload: () => reloadConfig(app),
    toolDefinitions: foreign.definitions,
  };
}
