// One conversation through its life: asked for, opened, read further back, spoken to, and told what happens.
import type { OpenedSession, Shown, SubagentCard, TurnCost } from "../../../src/api/chat/wire.ts";
import { applyLive } from "./apply-live.ts";
import type { Conversation, Outgoing, Part } from "./conversation.ts";
import { toAsidePart, toParts, toUserPart } from "./to-parts.ts";

export interface Happening {
  seq: number;
  at: number;
  shown: Shown;
}

/** While it is being opened, what happens waits: only the answer says what it already contains. */
export function take(conversation: Conversation, happening: Happening): Conversation {
  if (conversation.status === "opening")
    return { ...conversation, waiting: [...conversation.waiting, happening] };
  if (happening.seq <= conversation.seq) return conversation;
  return { ...applyShown(conversation, happening), seq: happening.seq };
}

export function open(conversation: Conversation, opened: OpenedSession): Conversation {
  const { entries, hasMore, running, asks, subagents, model, seq } = opened;
  const stored: Conversation = {
    key: conversation.key,
    status: "open",
    parts: toParts(opened),
    hasMore,
    asks: [],
    subagents,
    outgoing: withoutSaid(conversation.outgoing, entries),
    model,
    seq,
    waiting: [],
    ...(running && { running: { turnId: running.turnId } }),
  };
  const at = opened.session.updatedAt;
  const replayed = (running?.bodies ?? []).reduce(
    (view, body) => applyLive(view, { turnId: opened.running?.turnId ?? "", at, body }),
    stored,
  );
  return conversation.waiting.reduce(take, { ...replayed, asks });
}

export function prepend(conversation: Conversation, opened: OpenedSession): Conversation {
  const known = new Set(conversation.parts.map(({ id }) => id));
  const older = toParts(opened).filter(({ id }) => !known.has(id));
  return { ...conversation, parts: [...older, ...conversation.parts], hasMore: opened.hasMore };
}

/** Sent: it is shown as said from now on, also if the event comes later. */
export function settle(
  conversation: Conversation,
  { requestId, turnId }: { requestId: string; turnId: string },
): Conversation {
  const sent = conversation.outgoing.find((message) => message.requestId === requestId);
  const outgoing = conversation.outgoing.filter((message) => message !== sent);
  if (sent === undefined || sent.files.length > 0 || conversation.status !== "open")
    return { ...conversation, outgoing };
  const said = toUserPart({ turnId, at: sent.at, text: sent.text });
  return { ...conversation, outgoing, parts: upsert(conversation.parts, said) };
}

function applyShown(conversation: Conversation, { at, shown }: Happening): Conversation {
  switch (shown.type) {
    case "said":
      return {
        ...conversation,
        outgoing: dropFirst(conversation.outgoing, shown.text),
        parts: upsert(conversation.parts, toUserPart(shown)),
      };
    case "aside": {
      // A command may have changed anything, such as the model.
      const status = shown.kind === "command" ? "stale" : conversation.status;
      return { ...conversation, status, parts: upsert(conversation.parts, toAsidePart(shown)) };
    }
    case "settled":
      return settleTurn(conversation, shown);
    case "subagent":
      return { ...conversation, subagents: withSubagent(conversation.subagents, shown.subagent) };
    case "rewritten":
      return { ...conversation, status: "stale" };
    case "live":
      return applyLive(conversation, { turnId: shown.turnId, at, body: shown.body });
  }
}

/** What a turn took stands with its last reply. */
function settleTurn(
  conversation: Conversation,
  { turnId, cost }: { turnId: string; cost?: TurnCost },
): Conversation {
  const running = conversation.running?.turnId === turnId ? undefined : conversation.running;
  const index = conversation.parts.findLastIndex(({ kind, turn }) => kind === "step" && turn === turnId);
  const last = conversation.parts[index];
  if (last?.kind !== "step" || cost === undefined) return { ...conversation, running };
  return { ...conversation, running, parts: conversation.parts.with(index, { ...last, cost }) };
}

function withSubagent(known: readonly SubagentCard[], subagent: SubagentCard): readonly SubagentCard[] {
  const index = known.findIndex(({ id }) => id === subagent.id);
  return index < 0 ? [...known, subagent] : known.with(index, subagent);
}

/** A known one keeps its place; what was already there of it stays where the new one says nothing. */
function upsert(parts: readonly Part[], part: Part): readonly Part[] {
  const index = parts.findLastIndex(({ id }) => id === part.id);
  const known = parts[index];
  if (known === undefined) return [...parts, part];
  if (known.kind !== "user" || part.kind !== "user") return parts;
  return parts.with(index, { ...known, attachments: part.attachments });
}

function dropFirst(outgoing: readonly Outgoing[], text: string): readonly Outgoing[] {
  const index = outgoing.findIndex((message) => message.text === text && message.problem === undefined);
  return index < 0 ? outgoing : outgoing.toSpliced(index, 1);
}

function withoutSaid(outgoing: readonly Outgoing[], entries: OpenedSession["entries"]): readonly Outgoing[] {
  return outgoing.filter(
    ({ text, at }) =>
      !entries.some((entry) => entry.role === "user" && entry.text === text && entry.at >= at),
  );
}
