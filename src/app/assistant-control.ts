// What a command may ask of the assistant itself: of the one in the gateway, or of one that was opened for the command.
import { terminalOrigin } from "../agent/direct.ts";
import { VersionError } from "../dream/versions.ts";
import type { Words } from "../i18n/words.ts";
import { type AssistantControl, ControlError } from "../server/control.ts";
import type { App } from "./build-app.ts";
import { describeFault } from "./describe-versions.ts";

const longestDreamMs = 30 * 60_000;

export function createAssistantControl(app: App, words: Words): AssistantControl {
  const trail = () => app.trailFor(terminalOrigin);
  return {
    async inspectContext({ sessionKey, text }) {
      const { settings } = app.model;
      return { settings, inspection: await app.loop.inspect({ sessionKey, text }) };
    },
    dream: (_wish, signal = AbortSignal.timeout(longestDreamMs)) => app.dreams.run(app.workspace, signal),
    findForgettable: (wish) => trail().findForgettable(wish.words),
    forget: async ({ found, words: text }) => ({ version: await trail().forget(found, text) }),
    async restoreMemory({ id }) {
      try {
        return await trail().restore(id);
      } catch (error) {
        if (error instanceof VersionError) throw new ControlError(describeFault(error.fault, words));
        throw error;
      }
    },
  };
}
