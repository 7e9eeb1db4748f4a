// What terminals ask of the gateway beyond a page: a question with its whole outcome, and commands of the owner's own.
import * as z from "zod";
import { terminalOrigin } from "../../agent/direct.ts";
import type { LiveBody } from "../../bus/live.ts";
import type { LiveSessions } from "../../server/live-sessions.ts";
import { type MethodTable, WishError } from "../../server/methods.ts";
import type { TerminalMethods } from "../../server/protocol/terminal.ts";
import type { App } from "../build-app.ts";
import type { PutFiles } from "./put-files.ts";

export interface TerminalParts {
  app: Pick<App, "loop" | "bus" | "runOwnCommand">;
  files: Pick<PutFiles, "find">;
  live: Pick<LiveSessions, "hear">;
  now(): number;
}

const sessionKey = z.string().min(1).max(1_000);
const id = z.string().min(1).max(200);
const longestText = 2_500_000;

export function createTerminalMethods({
  app,
  files,
  live,
  now,
}: TerminalParts): MethodTable<TerminalMethods> {
  const { loop, bus } = app;
  const running = new Map<string, AbortController>();

  return {
    "terminal.ask": {
      params: z.strictObject({
        sessionKey,
        text: z.string().max(longestText),
        files: z.array(id).max(20).optional(),
        labels: z.array(id).max(20).optional(),
        ownWords: z.string().max(longestText).optional(),
        canAsk: z.boolean(),
      }),
      async run({ files: fileIds = [], canAsk, ...message }, { viewer }) {
        const { channel, chatId } = terminalOrigin;
        const { sessionKey: key } = message;
        const media = await files.find(fileIds, viewer);
        let turn = "";
        const show = (body: LiveBody, turnId = turn) => {
          const said = { id: turnId, sourceKey: turnId, origin: terminalOrigin, receivedAt: now(), media };
          if (turn === "") live.hear({ ...message, ...said });
          turn = turnId;
          bus.publishLive({ sessionKey: key, turnId, channel, chatId, body });
        };
        return loop.processDirect({
          ...message,
          media,
          onEvent: show,
          ...(canAsk && { ask: (question, signal) => loop.questions.ask(key, question, { show, signal }) }),
        });
      },
    },
    "terminal.run": {
      params: z.strictObject({ sessionKey, command: z.string().min(1).max(20_000), runId: id }),
      async run({ runId, ...wish }) {
        const controller = new AbortController();
        running.set(runId, controller);
        const { signal } = controller;
        try {
          return await app.runOwnCommand({ ...wish, signal });
        } catch (error) {
          throw signal.aborted ? new WishError("Stopped.") : error;
        } finally {
          running.delete(runId);
        }
      },
    },
    "terminal.cancel": {
      params: z.strictObject({ runId: id }),
      run({ runId }) {
        running.get(runId)?.abort(new Error("stopped"));
        return { isCancelled: running.has(runId) };
      },
    },
  };
}
