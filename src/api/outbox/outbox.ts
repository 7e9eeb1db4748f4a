// Operations about the outbox: messages that are not sent yet, or could not be.
import * as z from "zod";
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

export const outboxOperations = [listOutbox, retryOutbox, dropOutbox] as const;
