// Keeps long tool results out of the conversation: the full text goes to a file, and the model gets its beginning, its
// end and the way to the rest. Images become files too. Settled before the result is stored, and never changed again.
import { type Log, silentLog } from "../../lib/log.ts";
import { isSystemError } from "../../lib/process/system-code.ts";
import { cutMiddle, isBlank, takeHead, takeTail, toWellFormed } from "../../lib/text.ts";
import type { ImageLimits } from "../../llm/hosts/host.ts";
import type { ContentPart, ImagePart, TextPart } from "../../llm/types.ts";
import type { ToolContext, ToolResult, ToolWrapper } from "../../runner/tool.ts";
import type { ResultStore } from "../../storage/blobs/result-store.ts";
import { scopeOf } from "../../storage/scope.ts";
import { codeOf } from "../files/file-error.ts";
import { storeImage } from "../image-store.ts";

export interface OffloadOptions {
  /** Takes long texts; readable by the tools of the same scope, not writable. */
  results: ResultStore;
  /** Where images go. */
  mediaFolder: string;
  /** What the model's host takes. */
  imageLimits?: ImageLimits;
  /** Characters that a text may have. Default 16,000. */
  limit?: number;
  /** Gets the path of a stored text, and its sources. */
  onStored?(path: string, labels: string[]): Promise<void>;
  log?: Log;
}

const usualLimit = 16_000;
const dataUrl = /^data:[a-z]+\/[a-z0-9.+-]+;base64,/i;

export function withOffload(options: OffloadOptions): ToolWrapper {
  const { mediaFolder, imageLimits, limit = usualLimit, log = silentLog } = options;

  async function boundText(text: string, context: ToolContext): Promise<string> {
    if (text.length <= limit) return text;
    try {
      const path = await options.results.store(scopeOf(context.origin), context, toWellFormed(text));
      await options.onStored?.(path, [...context.labels]);
      return describeOffloaded(text, path, limit);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      log.warn("tool-result-not-stored", { error });
      return cutMiddle(text, limit);
    }
  }

  async function settleImage(part: ImagePart): Promise<ContentPart> {
    const { url } = part.image_url;
    const head = dataUrl.exec(url);
    if (head === null) return part;
    try {
      const bytes = Buffer.from(url.slice(head[0].length), "base64");
      const stored = await storeImage(bytes, { folder: mediaFolder, limits: imageLimits });
      if (!stored.ok) return toImageNote(`it is ${stored.problem}`);
      return { ...part, image_url: { ...part.image_url, url: stored.url } };
    } catch (error) {
      if (!isSystemError(error)) throw error;
      log.warn("image-not-stored", { error });
      return toImageNote(`it could not be stored, ${codeOf(error)}`);
    }
  }

  async function settleParts(
    parts: ContentPart[],
    context: ToolContext,
    isBounded: boolean,
  ): Promise<ContentPart[]> {
    const settled = await Promise.all(parts.map((part) => (part.type === "text" ? part : settleImage(part))));
    const text = settled.filter(isText).map((part) => part.text);
    if (isBounded || text.join("\n").length <= limit) return settled;
    const bounded = await boundText(text.join("\n"), context);
    return [{ type: "text", text: bounded }, ...settled.filter((part) => !isText(part))];
  }

  return (tool) => ({
    ...tool,
    async execute(args, given): Promise<ToolResult> {
      const result = await tool.execute(args, given);
      const { content, labels = [] } = result;
      const context = { ...given, labels: new Set([...given.labels, ...labels]) };
      const isBounded = tool.boundsItself === true;
      if (isEmpty(content)) return { ...result, content: `(${tool.name} completed with no output)` };
      if (typeof content !== "string")
        return { ...result, content: await settleParts(content, context, isBounded) };
      return isBounded ? result : { ...result, content: await boundText(content, context) };
    },
  });
}

function isEmpty(content: ToolResult["content"]): boolean {
  if (typeof content === "string") return isBlank(content);
  return content.every((part) => isText(part) && isBlank(part.text));
}

function toImageNote(reason: string): TextPart {
  return { type: "text", text: `(An image was left out: ${reason}.)` };
}

function isText(part: ContentPart): part is TextPart {
  return part.type === "text";
}

/** Precedes the path. */
export const offloadMark = "All of it is in ";

/** A quarter of the limit from the beginning and an eighth from the end, at whole lines where there are any. */
export function describeOffloaded(text: string, path: string, limit: number): string {
  const head = cutAtLine(takeHead(text, Math.floor(limit / 4)));
  const tail = takeTail(text, Math.floor(limit / 8));
  const shownLines = head.split("\n").length - (head.endsWith("\n") ? 1 : 0);
  const lines = text.split("\n").length;
  return [
    head.trimEnd(),
    "...",
    tail.trimStart(),
    `(This is the beginning and the end of ${text.length} characters in ${lines} lines. ${offloadMark}${path}: read on with read_file, offset=${Math.min(shownLines + 1, lines)}, or search it with grep.)`,
  ].join("\n");
}

/** Unless that would lose most of it. */
function cutAtLine(text: string): string {
  const end = text.lastIndexOf("\n");
  return end < text.length / 2 ? text : text.slice(0, end + 1);
}
