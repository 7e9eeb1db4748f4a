// What the page about the context asks: the next request of a conversation, row by row, and the text of a row.
import * as z from "zod";
import type { AgentLoop } from "../../agent/loop.ts";
import { originOf, readScope } from "../../bus/scope.ts";
import type { ContextRow, Inspection } from "../../context/inspection.ts";
import { layerSeparator } from "../../context/layer.ts";
import { isRecord } from "../../lib/is-record.ts";
import type { Message } from "../../llm/types.ts";
import type { MethodTable } from "../../server/methods.ts";
import type { ContextMethods, ContextText, ContextView } from "../../server/protocol/context.ts";
import { toText } from "../../session/content.ts";
import type { SessionStore } from "../../session/store.ts";

export interface ContextParts {
  loop: Pick<AgentLoop, "inspect">;
  sessions: SessionStore;
  /** Share of the budget that is left full when older messages are summarised. */
  ratio(): number;
  /** Takes out what is taken out of every prompt. */
  redact(text: string): string;
}

type Piece = ContextText["pieces"][number];

const sessionKey = z.string().min(1).max(500);
/** Characters of one row; of history the latest. */
const longestText = 300_000;

export function createContextMethods(parts: ContextParts): MethodTable<ContextMethods> {
  const { loop, sessions, ratio, redact } = parts;

  async function inspect(key: string): Promise<{ inspection: Inspection; lastUsage: unknown }> {
    const { metadata } = await sessions.open(key);
    const inspection = await loop.inspect({ sessionKey: key, origin: originOf(key, readScope(metadata)) });
    return { inspection, lastUsage: metadata._last_usage };
  }

  return {
    "context.inspect": {
      params: z.strictObject({ sessionKey }),
      async run(wish) {
        const { inspection, lastUsage } = await inspect(wish.sessionKey);
        return toView(inspection, { lastUsage, ratio: ratio(), redact });
      },
    },
    "context.text": {
      params: z.strictObject({
        sessionKey,
        kind: z.enum(["layer", "part", "tool", "history", "message"]),
        name: z.string().max(500),
      }),
      async run({ sessionKey: key, kind, name }) {
        const { inspection } = await inspect(key);
        const row = inspection.rows.find((each) => each.kind === kind && each.name === name);
        const pieces = row === undefined ? [] : readRow(row, inspection);
        return bound(pieces.map((piece) => ({ ...piece, text: redact(piece.text) })));
      },
    },
  };
}

interface Beside {
  lastUsage: unknown;
  ratio: number;
  redact(text: string): string;
}

function toView(inspection: Inspection, { lastUsage, ratio, redact }: Beside): ContextView {
  const { session, model, window, budget, tokens, correction, epoch, rows, diff } = inspection;
  const { last, files, tools, notes, system } = diff;
  return {
    sessionKey: session,
    model,
    window,
    budget,
    target: Math.floor(budget * ratio),
    tokens,
    correction,
    epoch,
    rows: rows.map(({ cached, ...row }) => ({ ...row, isCached: cached })),
    ...toLastTurn(lastUsage),
    ...(last && {
      since: {
        at: last.at,
        model: last.model,
        files,
        tools,
        notes: notes.map(redact),
        ...(diff.break && { break: diff.break }),
        ...(system !== undefined && { diff: redact(system) }),
      },
    }),
  };
}

function toLastTurn(usage: unknown): Pick<ContextView, "lastTurn"> {
  if (!isRecord(usage) || typeof usage.prompt_tokens !== "number") return {};
  const read = usage.prompt_tokens;
  const [cached, written] = [Number(usage.cached_tokens ?? 0), Number(usage.completion_tokens ?? 0)];
  return { lastTurn: { read, cached, written } };
}

/** What of the request the row stands for. */
function readRow(row: ContextRow, { rows, request }: Inspection): Piece[] {
  const { messages, tools } = request;
  switch (row.kind) {
    case "layer":
    case "part": {
      const layers = rows.filter(({ kind }) => kind === "layer");
      // A part stands in the layer that comes before it.
      const own = rows.slice(0, rows.indexOf(row) + 1).findLast(({ kind }) => kind === "layer");
      const before = layers.slice(0, own === undefined ? 0 : layers.indexOf(own));
      const start = before.reduce((sum, { characters }) => sum + characters + layerSeparator.length, 0);
      return [{ text: toText(messages[0]?.content).slice(start, start + (own?.characters ?? 0)) }];
    }
    case "tool": {
      const tool = tools.find(({ name }) => name === row.name);
      return [{ text: JSON.stringify(tool, undefined, 2) }];
    }
    case "history": {
      const sent = rows.find(({ kind, name }) => kind === "history" && name === "sent")?.messages ?? 0;
      const start = 1 + (row.name === "sent" ? 0 : sent);
      return messages.slice(start, start + (row.messages ?? 0)).map(toPiece);
    }
    case "message":
      return [toPiece(messages.at(-1) ?? { role: "user", content: "" })];
  }
}

function toPiece(message: Message): Piece {
  const calls = message.role === "assistant" ? (message.tool_calls ?? []) : [];
  const called = calls.map(({ function: call }) => `${call.name} ${call.arguments}`);
  return { role: message.role, text: [toText(message.content), ...called].filter(Boolean).join("\n") };
}

/** The end of it, where it is too long. */
function bound(pieces: Piece[]): ContextText {
  const kept: Piece[] = [];
  let left = longestText;
  for (const { text, ...piece } of pieces.toReversed()) {
    if (left <= 0) break;
    kept.unshift({ ...piece, text: text.slice(-left) });
    left -= text.length;
  }
  return { pieces: kept, isCut: left < 0 || kept.length < pieces.length };
}
