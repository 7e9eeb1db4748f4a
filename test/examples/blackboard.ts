// The channel blackboard: a board on the network to which people pin notes. Asks for new ones, and pins the answers.
import { type Channel, ChannelSetupError, defineChannel, SendError, z } from "../../src/index.ts";

const schema = z.object({
  apiBase: z.url().describe("Address of the board"),
  token: z.string().min(1).describe("Key of the board"),
});

const noteSchema = z.object({
  id: z.int(),
  author: z.string(),
  name: z.string().optional(),
  text: z.string(),
});

export const blackboard = defineChannel<z.infer<typeof schema>>({
  schema,
  create: ({ apiBase, token }, { fetch }): Channel => {
    const headers = { authorization: `Bearer ${token}` };

    async function readNotes(query: string, signal: AbortSignal) {
      const response = await fetch(`${apiBase}/notes?${query}`, { headers, signal });
      if (response.status === 401)
        throw new ChannelSetupError("The board does not know this key (channels.blackboard.token).");
      if (!response.ok) throw new Error(`the board said ${response.status}`);
      return z.array(z.unknown()).parse(await response.json());
    }

    return {
      name: "blackboard",
      capabilities: {
        format: "plain",
        maxTextLength: 6_000,
        markup: "plain",
        streaming: "none",
        media: false,
        typing: false,
        canAsk: true,
      },

      async start(inbox, signal) {
        // The board answers when there is something new, or after so many seconds: at once for the first time.
        for (let last = 0, wait = 0; !signal.aborted; wait = 30) {
          const notes = await readNotes(`after=${last}&wait=${wait}`, signal);
          inbox.reportAlive();
          for (const note of notes) {
            const { success, data } = noteSchema.safeParse(note);
            if (!success) continue;
            const { id, author, name, text } = data;
            const sender = { id: author, ...(name && { name }) };
            const chat = { id: author, isGroup: false };
            await inbox.receive({ platformId: String(id), chat, sender, text, isAddressed: true });
            // Only now: whatever was not received is asked for again.
            last = id;
          }
        }
      },

      async send({ id, chatId, text }) {
        const body = JSON.stringify({ key: id, to: chatId, text });
        const response = await fetch(`${apiBase}/notes`, { method: "POST", headers, body });
        if (!response.ok)
          throw new SendError(`the board said ${response.status}`, { isPermanent: response.status === 404 });
        return {};
      },
    };
  },
});
