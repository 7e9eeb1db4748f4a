// A user's message as it is sent: what was written and attached, and the blocks that are added to it. A text that would
// fill the window is kept as a file of that person's, whose beginning, end and path take its place in the prompt. Settled
// before the message is stored, so that replay changes nothing.
import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { describeOffloaded } from "../guards/offloaded-text.ts";
import { toWellFormed } from "../lib/text.ts";
import { estimateTokens } from "../lib/tokens.ts";
import type { UserMessage } from "../llm/types.ts";
import { estimateBudget } from "../memory/fit.ts";
import { writeFileAtomic } from "../storage/files/atomic-file.ts";
import { ignoreMissing } from "../storage/files/plain-file.ts";
import type { SaidFields } from "../storage/sessions/format/entry-facts.ts";
import { appendText } from "./attachments.ts";
import type { ContextBuilder } from "./builder.ts";
import type { TurnInput } from "./turn-plan.ts";

export interface RenderedMessage {
  message: UserMessage;
  /** What its line says of it. */
  fields: SaidFields;
}

/** Of what a request may take. */
const largestShare = 0.25;

export async function renderUserMessage(
  builder: ContextBuilder,
  input: TurnInput,
  blocks: readonly string[] = [],
): Promise<RenderedMessage> {
  const text = await boundText(input);
  const { content, files } = await builder.buildUserContent(text, input.media, input.imageLimits);
  return {
    message: { role: "user", content: blocks.filter((block) => block !== "").reduce(appendText, content) },
    fields: { said: text.length, ...(files.length > 0 && { attachments: files }) },
  };
}

async function boundText({ text: said, personRoot, window, isPreview, session }: TurnInput): Promise<string> {
  const most = Math.floor(estimateBudget(window) * largestShare);
  const tokens = said.length <= most / 2 ? 0 : estimateTokens(said);
  // Of a conversation that is not kept, nothing may be written.
  if (tokens <= most || !session.isKept) return said;
  const text = toWellFormed(said);
  const name = `${createHash("sha256").update(text).digest("hex").slice(0, 32)}.txt`;
  const path = join("attachments", name);
  if (isPreview !== true) await store(join(personRoot, path), text);
  // Its beginning may be denser than the rest.
  let limit = Math.floor((text.length * most) / tokens);
  let shown = describeOffloaded(text, path, limit);
  while (estimateTokens(shown) > most && limit > 0) {
    limit = Math.floor(limit / 2);
    shown = describeOffloaded(text, path, limit);
  }
  return shown;
}

async function store(path: string, text: string): Promise<void> {
  const existing = await stat(path).catch(ignoreMissing);
  if (existing?.size !== Buffer.byteLength(text)) await writeFileAtomic(path, text, { mode: 0o600 });
}
