// Operations of a terminal beyond those of a page: one question with its whole outcome, and commands that the owner runs
// by hand.
import * as z from "zod";
import type { TurnOutcome } from "../../agent/job.ts";
import { terminalOrigin } from "../../agent/job.ts";
import type { LiveBody } from "../../bus/live.ts";
import { fail } from "../../i18n/user-error.ts";
import { CommandStopped } from "../../lib/abort.ts";
import { paths } from "../files/files.ts";
import { operation } from "../operation.ts";
import type { OwnCommandResult } from "./own-commands.ts";

const sessionKey = z.string().min(1).max(1_000);
const id = z.string().min(1).max(200);
const longestText = 2_500_000;

const ask = operation({
  name: "terminal.ask",
  about: "Waits for the end of the message's own turn; progress comes as events. Never joins another turn.",
  access: "owner",
  needs: "assistant",
  params: z.strictObject({
    sessionKey,
    text: z.string().max(longestText),
    files: z.array(id).max(20).optional(),
    paths,
    /** Sources of untrusted content in the text. */
    labels: z.array(id).max(20).optional(),
    /** What of it the owner wrote. */
    ownWords: z.string().max(longestText).optional(),
    /** A person is there to answer questions. */
    canAsk: z.boolean(),
  }),
  async run(
    { chat: { files, live, loop, publishLive }, clock },
    { files: fileIds, paths: named, canAsk, ...message },
    caller,
  ): Promise<TurnOutcome> {
    const { channel, chatId } = terminalOrigin;
    const { sessionKey: key } = message;
    const media = await files.findAll({ files: fileIds, paths: named }, caller);
    let turn = "";
    const show = (body: LiveBody, turnId = turn) => {
      const said = {
        id: turnId,
        sourceKey: turnId,
        origin: terminalOrigin,
        receivedAt: clock.now(),
        media,
      };
      if (turn === "") live.hear({ ...message, ...said });
      turn = turnId;
      publishLive({ sessionKey: key, turnId, channel, chatId, body });
    };
    return loop.processDirect({
      ...message,
      media,
      onEvent: show,
      ...(canAsk && { ask: (question, signal) => loop.questions.ask(key, question, { show, signal }) }),
    });
  },
});

const runCommand = operation({
  name: "terminal.run",
  about:
    "Runs a command of the owner through the guards of the model's own, except that nobody is asked; `runId` is for `terminal.cancel`.",
  access: "owner",
  needs: "assistant",
  params: z.strictObject({ sessionKey, command: z.string().min(1).max(20_000), runId: id }),
  async run({ chat: { runOwnCommand, ownCommands } }, { runId, ...command }): Promise<OwnCommandResult> {
    const controller = new AbortController();
    ownCommands.set(runId, controller);
    const { signal } = controller;
    try {
      return await runOwnCommand({ ...command, signal });
    } catch (error) {
      throw signal.aborted ? fail("terminal.stopped") : error;
    } finally {
      ownCommands.delete(runId);
    }
  },
});

const cancel = operation({
  name: "terminal.cancel",
  about: "Ends a command of `terminal.run`.",
  access: "owner",
  needs: "assistant",
  params: z.strictObject({ runId: id }),
  run({ chat: { ownCommands } }, { runId }) {
    ownCommands.get(runId)?.abort(new CommandStopped());
    return { isCancelled: ownCommands.has(runId) };
  },
});

export const terminalOperations = [ask, runCommand, cancel] as const;
