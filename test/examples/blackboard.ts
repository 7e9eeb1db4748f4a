// The channel blackboard: a board on the network to which people pin notes. Asks for new ones, and pins the answers.
import * as z from "zod";
import { type Channel, ChannelSetupError, SendError } from "../../src/bus/channel.ts";
import { defineChannel } from "../../src/channels/channel-kind.ts";

const schema = z.object({
  apiBase: z.url().describe("Address of the board"),
  token: z.string().min(1).describe("Key of the board"),
});

const noteSchema = z.array(z.object({ id: z.int(), author: z.string(), text: z.string() }));

export const blackboard = defineChannel<z.infer<typeof schema>>({
  schema,
  create: ({ apiBase, token }, { fetch, clock }): Channel => {
    const headers = { authorization: `Bearer ${token}` };
    return {
      name: "blackboard",
      capabilities: {
        format: "plain",
        maxTextLength: 500,
        markup: "plain",
        streaming: "none",
        media: false,
        typing: false,
        reactions: false,
        threads: false,
        canAsk: true,
      },

      async start(inbox, signal) {
        for (let last = 0; !signal.aborted; ) {
          const response = await fetch(`${apiBase}/notes?after=${last}`, { headers, signal });
          if (response.status === 401)
            throw new ChannelSetupError("The board does not know this key (channels.blackboard.token).");
          if (!response.ok) throw new Error(`the board said ${response.status}`);
          inbox.reportAlive();
          for (const { id, author, text } of noteSchema.parse(await response.json())) {
            const chat = { id: author, isGroup: false };
            await inbox.receive({
              platformId: String(id),
              chat,
              sender: { id: author },
              text,
              isAddressed: true,
            });
            // Only now: whatever was not received is asked for again.
            last = id;
          }
          await clock.sleep(5_000, signal);
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
