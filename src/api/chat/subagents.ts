// Operations about the subagents of a conversation.
import * as z from "zod";
import type { SubagentStatus } from "../../agent/subagents.ts";
import { fail } from "../../i18n/user-error.ts";
import { toOneLine } from "../../lib/text.ts";
import { operation } from "../operation.ts";
import { chatOf } from "./conversation-services.ts";

const listSubagents = operation({
  name: "subagents.list",
  about: "The subagents of this conversation.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({}),
  run: ({ conversation: { loop } }, _, caller): { subagents: SubagentStatus[] } => ({
    subagents: loop.subagents.list(chatOf(caller).sessionKey),
  }),
});

const stopSubagent = operation({
  name: "subagents.stop",
  about: "Ends a subagent of this conversation; the end of its id is enough.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({ id: z.string().min(1).max(200) }),
  run({ conversation: { loop } }, { id: wanted }, caller): SubagentStatus {
    const { sessionKey } = chatOf(caller);
    const matching = loop.subagents.list(sessionKey).filter(({ id }) => id.endsWith(wanted.toLowerCase()));
    const [found, another] = matching;
    if (found === undefined || another !== undefined)
      throw fail("subagents.unknown", { id: toOneLine(wanted, 40) });
    loop.subagents.stop(sessionKey, found.id);
    return found;
  },
});

export const subagentOperations = [listSubagents, stopSubagent] as const;
