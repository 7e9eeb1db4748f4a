// The content blocks of a reply while they grow: thinking with its signature, calls with their arguments in pieces.
// Text is not kept here, it is handed on.
import { toWellFormed } from "../lib/text.ts";
import { isRecord, toText } from "./json-value.ts";
import { repairArguments } from "./tool-arguments.ts";
import type { ModelEvent, ThinkingBlock, ToolCall } from "./types.ts";

type Json = Record<string, unknown>;

/** What a block, or a piece of it, adds to what is shown. */
export type Piece =
  | { type: "text" | "reasoning"; text: string }
  | { type: "call"; event: ModelEvent }
  | { type: "nothing" };

export interface BlockDrafts {
  open(index: number, block: Json): Piece;
  extend(index: number, delta: Json): Piece;
  /** Thinking that was signed or sealed, and so can be sent back. */
  thoughts(): ThinkingBlock[];
  /** Calls with valid arguments; those without a name are only counted. */
  settleCalls(): Promise<{ calls: ToolCall[]; malformed: number }>;
}

interface Thought {
  type: "thinking" | "redacted_thinking";
  pieces: string[];
  signature: string;
  data: string;
}

interface Call {
  type: "tool_use";
  /** Its place among the calls. */
  index: number;
  id: string;
  name: string;
  pieces: string[];
  input: unknown;
}

type Draft = Thought | Call | { type: "text" | "other" };

const mostBlocks = 1024;
const nothing: Piece = { type: "nothing" };

export function createBlockDrafts(): BlockDrafts {
  const drafts = new Map<number, Draft>();
  const thoughts: Thought[] = [];
  const calls: Call[] = [];
  let last: Draft["type"] | undefined;
  const begun = new Set<string>();

  function open(index: number, block: Json): Piece {
    if (drafts.size === mostBlocks) throw new Error(`more than ${mostBlocks} blocks in one reply`);
    const draft = toDraft(block, calls.length);
    drafts.set(index, draft);
    if (isThought(draft)) thoughts.push(draft);
    if (draft.type === "tool_use") calls.push(draft);
    const gap = takeGap(draft.type);
    last = draft.type;
    if (draft.type === "text") return { type: "text", text: gap + toText(block.text) };
    if (isThought(draft)) return { type: "reasoning", text: gap + toText(block.thinking) };
    return draft.type === "tool_use" ? toCallPiece(draft, { name: draft.name }) : nothing;
  }

  /** A passage that goes on after other blocks begins a new paragraph; adjacent text blocks are one text. */
  function takeGap(type: Draft["type"]): string {
    const isNewPassage = begun.has(type) && last !== type;
    begun.add(type);
    return isNewPassage || (type === "thinking" && last === type) ? "\n\n" : "";
  }

  function extend(index: number, delta: Json): Piece {
    const draft = drafts.get(index);
    if (delta.type === "text_delta") return { type: "text", text: toText(delta.text) };
    if (draft === undefined) return nothing;
    if (isThought(draft)) return extendThought(draft, delta);
    if (draft.type !== "tool_use" || delta.type !== "input_json_delta") return nothing;
    const argumentsDelta = toText(delta.partial_json);
    draft.pieces.push(argumentsDelta);
    return argumentsDelta === "" ? nothing : toCallPiece(draft, { argumentsDelta });
  }

  return {
    open,
    extend,
    thoughts: () => thoughts.flatMap(toThinkingBlock),
    async settleCalls() {
      const named = calls.filter(({ name }) => name !== "");
      return { calls: await Promise.all(named.map(toToolCall)), malformed: calls.length - named.length };
    },
  };
}

function toDraft(block: Json, index: number): Draft {
  const { type, id, name, input } = block;
  if (type === "text") return { type };
  if (type === "thinking" || type === "redacted_thinking") {
    const [thinking, signature, data] = [block.thinking, block.signature, block.data].map(toText);
    return { type, pieces: [thinking ?? ""], signature: signature ?? "", data: data ?? "" };
  }
  if (type !== "tool_use") return { type: "other" };
  return { type, index, id: toText(id), name: toText(name).trim(), pieces: [], input };
}

function isThought(draft: Draft): draft is Thought {
  return draft.type === "thinking" || draft.type === "redacted_thinking";
}

function extendThought(draft: Thought, delta: Json): Piece {
  if (delta.type === "signature_delta") draft.signature += toText(delta.signature);
  if (delta.type !== "thinking_delta") return nothing;
  const text = toText(delta.thinking);
  draft.pieces.push(text);
  return { type: "reasoning", text };
}

function toCallPiece({ index }: Call, part: { name?: string; argumentsDelta?: string }): Piece {
  return { type: "call", event: { type: "tool-call-delta", index, ...part } };
}

function toThinkingBlock({ type, pieces, signature, data }: Thought): ThinkingBlock[] {
  if (type === "redacted_thinking") return data === "" ? [] : [{ type, data }];
  return signature === "" ? [] : [{ type, thinking: pieces.join(""), signature }];
}

async function toToolCall({ id, name, pieces, input, index }: Call): Promise<ToolCall> {
  // Whole messages, and some hosts in streams, give the arguments at once.
  const json = pieces.join("") || (isRecord(input) ? JSON.stringify(input) : "");
  return {
    id: id || `call_${index}`,
    type: "function",
    function: { name: toWellFormed(name), arguments: await repairArguments(toWellFormed(json)) },
  };
}
