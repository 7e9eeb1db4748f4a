// The tool message: sends a text or files to a chat. Knows no channel: it is handed what can be reached and where parts
// go. Files are copied when they are sent, so that nothing can take their place before a channel gets to them.

import { basename, dirname, join } from "node:path";
import * as z from "zod";
import type { ChatAddress } from "../bus/session-key.ts";
import type { OutboundPart, Piece } from "../bus/types.ts";
import type { FileRoots } from "../guards/files/file-roots.ts";
import { isBlank, toOneLine } from "../lib/text.ts";
import { defineTool } from "../runner/define-tool.ts";
import { type Tool, type ToolContext, ToolError } from "../runner/tool.ts";
import { makeFolder } from "../storage/files/change-files.ts";
import { storeStream } from "../storage/files/store-stream.ts";

export type Chat = ChatAddress;

export interface MessageOptions {
  /** Whether a channel delivers to this chat now. */
  canReach(chat: Chat, context: ToolContext): boolean;
  /** Whether files can be sent there; absent: everywhere. */
  takesFiles?(channel: string): boolean;
  /** A part of the same id is sent once. */
  publish(parts: OutboundPart[]): Promise<void>;
  /** A text as the messages that a channel can send of it; absent: as one. */
  split?(channel: string, text: string): Piece[];
  /** Where copies of files are kept. */
  folder: string;
}

const mostFiles = 10;
const largestFile = 50 * 1024 * 1024;

const parameters = z.object({
  content: z.string(),
  channel: z.string().optional().describe("Default: this chat"),
  chat_id: z.string().optional(),
  media: z.array(z.string()).max(mostFiles).optional().describe("Files"),
});

type Args = z.output<typeof parameters>;

export function createMessage(roots: FileRoots, options: MessageOptions): Tool<Args> {
  const { canReach, publish, split = (_channel, text) => [{ text }], folder } = options;

  async function keepFile(path: string, index: number, context: ToolContext): Promise<string> {
    if (/^https?:/i.test(path.trim()))
      throw new ToolError("Addresses cannot be attached. Download it into the workspace and send that file.");
    const { handle, path: real, shown, size } = await roots.openForReading(path, context.origin);
    try {
      if (size > largestFile) throw new ToolError(`${shown} is larger than 50 MB. Send a smaller file.`);
      const target = join(folder, `${context.callId}.${index}`, basename(real));
      await makeFolder(dirname(target));
      const bytes = handle.createReadStream({ start: 0, end: largestFile, autoClose: false });
      await storeStream(target, bytes, { flags: "w", most: largestFile + 1, signal: context.signal });
      return target;
    } catch (error) {
      // Node wraps the reason in an error of its own.
      context.signal.throwIfAborted();
      throw error;
    } finally {
      await handle.close();
    }
  }

  return defineTool({
    name: "message",
    description: "Sends text or files to a chat.",
    parameters,
    repeat: "by-call-id",
    effects({ content, media = [], ...target }) {
      const { channel, chat_id: chatId } = target;
      if (channel === undefined || chatId === undefined) return [];
      return [{ type: "send", channel, chatId, text: [content, ...media].join("\n"), files: media }];
    },
    async execute(args, context) {
      const chat = toChat(args, context);
      const { channel, chatId } = chat;
      const { content, media = [] } = args;
      const { sessionKey, turnId, callId, origin } = context;
      const address = toOneLine(`${channel}:${chatId}`, 100);
      if (isBlank(content) && media.length === 0) throw new ToolError("Give a text or files to send.");
      if (origin.cause === "heartbeat")
        return { content: `Not sent to ${address}: put it into your answer, which is sent if it matters.` };
      if (!canReach(chat, context))
        throw new ToolError(`Nothing can be sent to ${address} from here. Put it into your answer instead.`);
      if (media.length > 0 && options.takesFiles?.(channel) === false)
        throw new ToolError(`No files can be sent to ${address}. Send what they say as text.`);
      const kept: string[] = [];
      for (const [index, path] of media.entries()) kept.push(await keepFile(path, index, context));
      const pieces = isBlank(content) ? [{ text: "" }] : split(channel, content);
      const whole = { ...chat, sessionKey, turnId, kind: "message" as const, wasStreamed: false };
      await publish(
        pieces.map(({ text, media: own = [] }: Piece, index) => ({
          ...whole,
          id: `${callId}#${index}`,
          text,
          media: [...own, ...(index === pieces.length - 1 ? kept : [])],
        })),
      );
      const files = kept.length === 0 ? "" : ` with ${kept.length} ${kept.length === 1 ? "file" : "files"}`;
      return { content: `Sent to ${address}${files}.` };
    },
  });
}

/** Both or neither: what is sent elsewhere is judged by its whole address before it gets here. */
function toChat(args: Args, { origin }: ToolContext): Chat {
  if ((args.channel === undefined) !== (args.chat_id === undefined))
    throw new ToolError("Give channel and chat_id together, or neither for this chat.");
  const { channel = origin.channel, chat_id: chatId = origin.chatId } = args;
  const isHere = channel === origin.channel && chatId === origin.chatId;
  return { channel, chatId, ...(isHere && origin.thread !== undefined && { thread: origin.thread }) };
}
