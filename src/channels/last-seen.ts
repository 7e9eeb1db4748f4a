// What a channel has taken from a platform that waits for no acknowledgement: the last message of each chat, and what its
// connection needs to go on. After a restart the channel asks for everything since then.
import { join } from "node:path";
import * as z from "zod";
import { KeyedLock } from "../lib/keyed-lock.ts";
import { StateFile } from "../storage/files/state-file.ts";

const schema = z.looseObject({
  chats: z
    .array(z.tuple([z.string(), z.string()]))
    .catch([])
    .default([]),
  connection: z.unknown().optional(),
});

const mostChats = 500;

interface Seen {
  chatId: string;
  /** Is stored. */
  messageId: string;
  connection?: unknown;
}

export class LastSeen {
  readonly #file: StateFile;
  readonly #lock = new KeyedLock();
  readonly #isNewer: (messageId: string, than: string) => boolean;
  #known: { chats: Map<string, string>; connection: unknown; others: object } | undefined;

  constructor(folder: string, isNewer: (messageId: string, than: string) => boolean) {
    this.#file = new StateFile(join(folder, "last-seen.json"));
    this.#isNewer = isNewer;
  }

  /** The last message of each chat, the latest chat first. */
  async chats(): Promise<Array<[chatId: string, messageId: string]>> {
    return [...(await this.#open()).chats].toReversed();
  }

  async connection(): Promise<unknown> {
    return (await this.#open()).connection;
  }

  async note({ chatId, messageId, connection }: Seen): Promise<void> {
    await this.#lock.run("file", async () => {
      const known = await this.#open();
      const { chats, others } = known;
      const last = chats.get(chatId);
      const isNew = last === undefined || this.#isNewer(messageId, last);
      // The order of chats is that of their use.
      chats.delete(chatId);
      chats.set(chatId, isNew ? messageId : last);
      for (const oldest of [...chats.keys()].slice(0, -mostChats)) chats.delete(oldest);
      known.connection = connection;
      await this.#file.write({
        ...others,
        chats: [...chats],
        ...(connection !== undefined && { connection }),
      });
    });
  }

  async #open() {
    if (this.#known !== undefined) return this.#known;
    const { chats, connection, ...others } = schema.parse((await this.#file.read()).value ?? {});
    this.#known ??= { chats: new Map(chats), connection, others };
    return this.#known;
  }
}
