// Operations about the outbox: messages that are not sent yet, or could not be.
import * as z from "zod";
import { fail } from "../../i18n/user-error.ts";
import type { OutboxRow } from "../../storage/queues/outbox.ts";
import { operation } from "../operation.ts";

const params = z.strictObject({ id: z.string().min(1).max(500) });

const listOutbox = operation({
  name: "outbox.list",
  about: "Messages that are not sent yet, and those that were given up, oldest first.",
  access: "owner",
  needs: "home",
  params: z.strictObject({}),
  run: ({ bus }): { rows: OutboxRow[] } => ({ rows: bus.outbox.list() }),
});

const retryOutbox = operation({
  name: "outbox.retry",
  about: "Sends a message now that waits or was given up; not done if there is none of that id.",
  access: "owner",
  needs: "home",
  changes: ["channels"],
  params,
  run: async ({ bus }, { id }) => ({ isDone: await bus.outbox.retry(id) }),
});

const dropOutbox = operation({
  name: "outbox.drop",
  about: "Removes a message that waits or was given up; not done if there is none of that id.",
  access: "owner",
  needs: "home",
  changes: ["channels"],
  params,
  run: async ({ bus }, { id }) => ({ isDone: await bus.outbox.drop(id) }),
});

const sendMessage = operation({
  name: "outbox.send",
  about: "Sends a text to a chat of someone who has access, as the assistant; with the same request id once.",
  access: "owner",
  needs: "home",
  changes: ["channels"],
  params: z.strictObject({
    channel: z.string().min(1).max(64),
    chatId: z.string().min(1).max(200),
    text: z.string().min(1).max(2_000),
  }),
  async run({ bus, pairing }, { channel, chatId, text }, { requestId }) {
    const known = await pairing.list();
    if (!known.some((person) => person.channel === channel && person.senderId === chatId))
      throw fail("outbox.unknown-chat", { channel, chatId });
    const sessionKey = `${channel}:${chatId}`;
    const whole = { channel, chatId, sessionKey, turnId: requestId, kind: "message" as const };
    await bus.publishOutbound([{ ...whole, id: `${requestId}#0`, text, media: [], wasStreamed: false }]);
    return { isQueued: true };
  },
});

export const outboxOperations = [listOutbox, retryOutbox, dropOutbox, sendMessage] as const;
