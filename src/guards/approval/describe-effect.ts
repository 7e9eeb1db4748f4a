// The effect of a call as an approval question shows it: what would happen, and for a write a bounded diff, or the new
// text if there is nothing to compare.
import type { Approval } from "../../bus/ask.ts";
import type { Origin } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import { diffLines } from "../../lib/formats/line-diff.ts";
import { cutMiddle, toOneLine } from "../../lib/text.ts";
import { type Effect, ToolError } from "../../runner/tool.ts";
import type { FileRoots } from "../files/file-roots.ts";

const longestName = 100;

export function describeEffect(effect: Effect): Pick<Approval, "phrase" | "detail"> {
  switch (effect.type) {
    case "fetch":
      return { phrase: phrase("approval.fetch", { host: toHost(effect.url) }), detail: effect.url };
    case "send": {
      const [channel, chatId] = [toName(effect.channel), toName(effect.chatId)];
      const detail = effect.text ?? `${channel}:${chatId}`;
      return { phrase: phrase("approval.send", { channel, chatId }), detail };
    }
    case "schedule":
      return { phrase: phrase("approval.schedule"), detail: effect.what };
    case "spawn":
      return { phrase: phrase("approval.spawn"), detail: effect.task };
    case "call": {
      const [tool, server] = [toName(effect.tool), toName(effect.server)];
      const detail = effect.input === undefined ? "" : JSON.stringify(effect.input, null, 1);
      return { phrase: phrase("approval.call", { tool, server }), detail };
    }
    case "run":
      return { phrase: phrase("approval.run", {}), detail: effect.command };
    case "read":
    case "write":
      return { phrase: phrase("approval.use-file", { path: toName(effect.path) }), detail: effect.path };
  }
}

function toHost(url: string): string {
  return toName(URL.parse(url)?.host ?? url);
}

function toName(text: string): string {
  return toOneLine(text, longestName);
}

const longestDiff = 8_000;
const largestCompared = 1024 * 1024;

export async function describeWrite(
  effect: Effect & { type: "write" },
  roots: FileRoots,
  origin: Origin,
): Promise<string> {
  const shown = roots.display(await roots.resolveWrite(effect.path, origin), origin);
  if (effect.text === undefined) return shown;
  const before = effect.replaces ?? (await readCurrent(effect.path, roots, origin));
  const diff = before === undefined ? undefined : await diffLines(before, effect.text, longestDiff + 1);
  const added = effect.text.replace(/\n$/, "").replaceAll(/^/gm, "+");
  return `${shown}\n${cutMiddle(diff === undefined || diff === "" ? added : diff, longestDiff)}`;
}

/** Undefined where there is none, or none that could be compared. */
async function readCurrent(path: string, roots: FileRoots, origin: Origin): Promise<string | undefined> {
  const file = await roots.openForReading(path, origin).catch((error: unknown) => {
    if (!(error instanceof ToolError)) throw error;
  });
  try {
    return file === undefined || file.size > largestCompared ? undefined : await file.handle.readFile("utf8");
  } finally {
    await file?.handle.close();
  }
}

/** What a write adds to a file: all of it where there is nothing to compare. */
export async function findAdded(
  effect: Effect & { type: "write" },
  roots: FileRoots,
  origin: Origin,
): Promise<string> {
  const { text = "", replaces } = effect;
  const before = replaces ?? (await readCurrent(effect.path, roots, origin)) ?? "";
  const known = new Set(before.split("\n"));
  return text
    .split("\n")
    .filter((line) => !known.has(line))
    .join("\n");
}
