// Operations about the context: the next request of a conversation, row by row, the text of a row, and the whole of it.
// The owner looks at every conversation, others in a chat at that chat.
import * as z from "zod";
import type { ModelRuntime } from "../../agent/dependencies.ts";
import type { Inspection } from "../../context/inspection.ts";
import { layerSeparator } from "../../context/layers/layer.ts";
import { cleanMessage } from "../../guards/wrappers/with-redaction.ts";
import { fail } from "../../i18n/user-error.ts";
import type { Message } from "../../llm/types.ts";
import { originOf, ownerScope, scopeOf } from "../../storage/scope.ts";
import { toText } from "../../storage/sessions/format/content.ts";
import type { LastUsage } from "../../storage/sessions/metadata.ts";
import { type Caller, operation } from "../operation.ts";
import type { AssistantServices } from "../services.ts";

export type { ContextDiff, ContextRow } from "../../context/inspection.ts";

type ContextRow = Inspection["rows"][number];

export interface ContextView extends Omit<Inspection, "request"> {
  /** Beyond `budget` older messages are summarised, until this is left. */
  target: number;
  /** Tokens of the last turn, as its host counted them. */
  lastTurn?: { read: number; cached: number; written: number };
}

export interface ContextText {
  /** Of history one for each message, otherwise one; none where the request has no such row any more. */
  pieces: Array<{ role?: string; text: string }>;
  /** The beginning was left out. */
  isCut: boolean;
}

export type ContextRequest = ModelRuntime["settings"] & Inspection["request"];

type Piece = ContextText["pieces"][number];

const sessionKey = z.string().min(1).max(500);
const text = z.string().max(1_000_000);
/** Characters of one row; of history the latest. */
const longestText = 300_000;

const inspectContext = operation({
  name: "context.inspect",
  about: "What the next message of a conversation would send, and how it differs from the last request.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({ sessionKey, text: text.optional() }),
  async run(services, params, caller): Promise<ContextView> {
    const { inspection, session } = await inspect(services, params, caller);
    const { request: _, diff, ...facts } = inspection;
    const { consolidationRatio } = services.loaded().config.agents.defaults;
    const { redact } = services;
    return {
      ...facts,
      diff: {
        ...diff,
        notes: diff.notes.map(redact),
        ...(diff.system !== undefined && { system: redact(diff.system) }),
      },
      target: Math.floor(facts.budget * consolidationRatio),
      ...toLastTurn(session.metadata._last_usage),
    };
  },
});

const readText = operation({
  name: "context.text",
  about: "The text of one row of that request; its kind and name say which.",
  access: "owner",
  needs: "assistant",
  params: z.strictObject({
    sessionKey,
    kind: z.enum(["layer", "part", "tool", "history", "message"]),
    name: z.string().max(500),
  }),
  async run(services, { sessionKey: key, kind, name }, caller): Promise<ContextText> {
    const { inspection } = await inspect(services, { sessionKey: key }, caller);
    const row = inspection.rows.find((each) => each.kind === kind && each.name === name);
    const pieces = row === undefined ? [] : readRow(row, inspection);
    return bound(pieces.map((piece) => ({ ...piece, text: services.redact(piece.text) })));
  },
});

const readRequest = operation({
  name: "context.request",
  about: "That request as it would be sent.",
  access: "owner",
  needs: "assistant",
  params: z.strictObject({ sessionKey, text: text.optional() }),
  async run(services, params, caller): Promise<ContextRequest> {
    const { inspection, session } = await inspect(services, params, caller);
    const { settings } = await services.modelOf(session);
    const { messages, tools } = inspection.request;
    return { ...settings, messages: messages.map((each) => cleanMessage(each, services.redact)), tools };
  },
});

export const contextOperations = [inspectContext, readText, readRequest] as const;

async function inspect(
  services: AssistantServices,
  { sessionKey: key, text: said = "" }: { sessionKey: string; text?: string },
  { role, chat }: Caller,
) {
  const isHere = chat?.sessionKey === key;
  if (role !== "owner" && !isHere) throw fail("request.owner-only");
  const scope = isHere ? scopeOf(chat.origin) : ((await services.sessions.scopeOf(key)) ?? ownerScope);
  const session = await services.sessions.open(key, scope);
  const origin = isHere ? chat.origin : originOf(key, scope);
  return { session, inspection: await services.inspect({ sessionKey: key, origin, text: said }) };
}

function toLastTurn(usage: LastUsage = {}): Pick<ContextView, "lastTurn"> {
  const { prompt_tokens: read, cached_tokens: cached = 0, completion_tokens: written = 0 } = usage;
  if (read === undefined) return {};
  return { lastTurn: { read, cached, written } };
}

/** What part of the request the row is about. */
function readRow(row: ContextRow, { rows, request }: Inspection): Piece[] {
  const { messages, tools } = request;
  switch (row.kind) {
    case "layer":
    case "part": {
      const layers = rows.filter(({ kind }) => kind === "layer");
      // A part belongs to the layer that comes before it.
      const parentLayer = rows.slice(0, rows.indexOf(row) + 1).findLast(({ kind }) => kind === "layer");
      const before = layers.slice(0, parentLayer === undefined ? 0 : layers.indexOf(parentLayer));
      const start = before.reduce((sum, { characters }) => sum + characters + layerSeparator.length, 0);
      return [{ text: toText(messages[0]?.content).slice(start, start + (parentLayer?.characters ?? 0)) }];
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
