// Operations that archive what was said in the conversation that they are asked in: all of it at its end, or so far.
import * as z from "zod";
import type { Consolidation } from "../../memory/consolidator.ts";
import { operation } from "../operation.ts";
import { chatOf } from "./conversation-services.ts";

const newChat = operation({
  name: "chat.new",
  about: "Closes this conversation, which is archived in the background; the next message begins a new one.",
  access: "person",
  needs: "assistant",
  changes: [],
  params: z.strictObject({}),
  async run({ conversation }, _, caller): Promise<Record<string, never>> {
    await conversation.loop.closeSession(chatOf(caller));
    return {};
  },
});

const compactChat = operation({
  name: "chat.compact",
  about: "Archives what was said in this conversation so far; the summary looks after `focus`.",
  access: "person",
  needs: "assistant",
  changes: [],
  params: z.strictObject({ focus: z.string().optional() }),
  run: ({ conversation }, { focus = "" }, caller): Promise<Consolidation> =>
    conversation.loop.compact(chatOf(caller), { focus, ...(caller.signal && { signal: caller.signal }) }),
});

export const archiveOperations = [newChat, compactChat] as const;
