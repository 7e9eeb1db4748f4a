// What happens in conversations at this moment: turns that run, questions that wait, what was said and has no turn yet.
// Sent to viewers as numbered events, and kept while it lasts, so that a client that opens a conversation sees the rest.

import type { KeptAside, KeptSaid, KeptTask, KeptTurn, ShownNotes } from "../../api/chat/shown-log.ts";
import type {
  LiveConversations,
  LiveState,
  OpenedSession,
  Said,
  Shown,
  SubagentCard,
  TurnCost,
} from "../../api/chat/wire.ts";
import type { LiveBody, LiveEvent } from "../../bus/live.ts";
import type { InboundMessage, OutboundPart } from "../../bus/types.ts";
import type { Clock } from "../../lib/clock.ts";
import { readGoalLine } from "../../lib/formats/runtime-block.ts";
import { takeHead, takeTail } from "../../lib/text.ts";
import { addUsage, noUsage, type Usage } from "../../lib/usage.ts";
import type { Audience, EventHub } from "./event-hub.ts";

export interface LiveSessionsOptions {
  hub: EventHub;
  clock: Clock;
  /** Aborts at the end of the program. */
  signal: AbortSignal;
  shown: ShownNotes;
  /** Whether a message still waits for its answer. */
  isOpen(inboundId: string): boolean;
  /** What a turn cost; undefined where no price is known. */
  moneyOf(turnId: string): number | undefined;
  /** Files of something that was said or sent, as a page reads them. */
  toAttachments(sessionKey: string, id: string, media: readonly string[]): Said["attachments"];
  onError(error: unknown): void;
}

export type Delta = Extract<LiveBody, { type: "text-delta" | "reasoning-delta" }>;

interface RunningTurn {
  turnId: string;
  startedAt: number;
  bodies: LiveBody[];
  usage: Usage | undefined;
  calls: KeptTurn["calls"];
}

interface LiveSession {
  audience: Audience;
  turn?: RunningTurn;
  /** Not sent yet: more of it may follow at once. */
  delta?: { turnId: string; body: Delta };
  asks: Map<string, OpenedSession["asks"][number]>;
  said: Map<string, KeptSaid>;
  subagents: Map<string, SubagentCard>;
  /** Its key belongs to a new conversation, and viewers do not know yet. */
  isReplaced?: boolean;
}

/** That change a session's card. */
const cardEvents = new Set<LiveBody["type"]>(["turn-start", "turn-end", "ask-start", "ask-end"]);
const joinMs = 15;
const longestDelta = 16_000;
const longestResult = 8_000;
const longestRunning = 1_000_000;
const mostBodies = 2_000;
const mostSessions = 1_000;

export class LiveSessions implements LiveConversations {
  readonly #cardListeners = new Set<(sessionKey: string) => void>();
  readonly #options: LiveSessionsOptions;
  readonly #sessions = new Map<string, LiveSession>();

  constructor(options: LiveSessionsOptions) {
    this.#options = options;
  }

  /** A message is safe in the inbox. */
  hear({ id, sessionKey, origin, text, media = [], kind, task, receivedAt }: InboundMessage): void {
    const { isOpen } = this.#options;
    const isGuests = origin.role === "guest" && origin.group === undefined;
    const session = this.#open(sessionKey);
    session.audience = isGuests ? { person: origin.person } : {};
    // Up to the first that waits: in a flood each message would look at all that wait before it. `stateOf` leaves out the others.
    for (const turnId of session.said.keys()) {
      if (isOpen(turnId)) break;
      session.said.delete(turnId);
    }
    const { channel } = origin;
    const goal = kind === "system" ? readGoalLine(text) : undefined;
    const shownText = task?.name ?? goal ?? text;
    const said: KeptSaid = { type: "said", turnId: id, at: receivedAt, text: shownText, channel, media };
    const machine = {
      ...(kind === "system" && { isSystem: true }),
      ...(task && { task }),
      ...(goal !== undefined && { isGoal: true as const }),
    };
    session.said.set(id, { ...said, ...machine });
    this.#tell(sessionKey, this.#toShown(sessionKey, session.said.get(id) ?? said));
    this.#changeCard(sessionKey);
  }

  show({ sessionKey, turnId, body }: LiveEvent): void {
    const session = this.#open(sessionKey);
    if (body.type === "text-delta" || body.type === "reasoning-delta") {
      this.#join(sessionKey, session, { turnId, body });
      return;
    }
    if (body.type === "turn-start")
      session.turn = {
        turnId,
        startedAt: this.#options.clock.now(),
        bodies: [],
        usage: undefined,
        calls: {},
      };
    if (body.type === "ask-start")
      session.asks.set(body.askId, { askId: body.askId, turnId, question: body.question });
    if (body.type === "ask-end") session.asks.delete(body.askId);
    this.#tell(sessionKey, { type: "live", turnId, body: toBounded(body) });
    if (body.type === "turn-end") this.#end(sessionKey, session, turnId);
    if (cardEvents.has(body.type)) this.#changeCard(sessionKey);
  }

  /** Called when something of a session's card may have changed. */
  onCardChange(listener: (sessionKey: string) => void): void {
    this.#cardListeners.add(listener);
  }

  #changeCard(sessionKey: string): void {
    for (const listener of this.#cardListeners) listener(sessionKey);
  }

  showSubagent(sessionKey: string, subagent: SubagentCard): void {
    const { subagents } = this.#open(sessionKey);
    if (subagent.state === "ended") subagents.delete(subagent.id);
    else subagents.set(subagent.id, subagent);
    this.#tell(sessionKey, { type: "subagent", subagent });
  }

  /** Sent to a session, but no part of its history. What it answers is kept with it, if that never became part of the history. */
  async keep(sessionKey: string, part: OutboundPart): Promise<void> {
    const { id, turnId, text, media, kind, isFailure } = part;
    const { shown, clock } = this.#options;
    const aside: KeptAside = {
      type: "aside",
      id,
      turnId,
      at: clock.now(),
      kind: kind === "answer" ? "message" : kind,
      ...(isFailure && { isFailure }),
      text,
      media,
    };
    const session = this.#open(sessionKey);
    const said = session.said.get(turnId);
    const isAnswered = said !== undefined && kind !== "message";
    await shown.append(sessionKey, isAnswered ? [said, aside] : [aside]);
    // A turn that broke has no other end.
    if (kind !== "message") this.#end(sessionKey, session, turnId);
    this.#tell(sessionKey, this.#toShown(sessionKey, aside));
    if (session.isReplaced === true && kind !== "message") {
      session.isReplaced = false;
      this.rewrite(sessionKey);
    }
    this.#changeCard(sessionKey);
  }

  /** What was sent over another channel, if it answers something that was said there. */
  keepSent(part: OutboundPart): void {
    const { sessionKey, turnId, kind } = part;
    const isBeside = kind === "command" || kind === "notice";
    if (!isBeside || this.#sessions.get(sessionKey)?.said.has(turnId) !== true) return;
    this.keep(sessionKey, part).catch(this.#options.onError);
  }

  /** Another conversation begins: what was shown with the old one goes with it. Viewers are notified with the answer. */
  close(sessionKey: string): void {
    const { shown, onError } = this.#options;
    this.#open(sessionKey).isReplaced = true;
    shown.clear(sessionKey).catch(onError);
  }

  async settleTask(sessionKey: string, settled: KeptTask): Promise<void> {
    await this.#options.shown.append(sessionKey, [settled]);
    const { turnId, state, until } = settled;
    this.#tell(sessionKey, { type: "task", turnId, state, ...(until !== undefined && { until }) });
  }

  /** Stored messages were taken away. */
  rewrite(sessionKey: string): void {
    this.#tell(sessionKey, { type: "rewritten" });
  }

  /** The event with its number included everything in it, and nothing later. */
  stateOf(sessionKey: string): LiveState {
    const { hub, isOpen } = this.#options;
    const session = this.#sessions.get(sessionKey);
    if (session === undefined) return { asks: [], said: [], subagents: [], seq: hub.seq };
    this.#flush(sessionKey, session);
    const { turn, asks, said, subagents } = session;
    const isRunning = turn !== undefined && isOpen(turn.turnId);
    return {
      ...(isRunning && { running: { turnId: turn.turnId, bodies: [...turn.bodies] } }),
      asks: [...asks.values()],
      said: [...said.values()].filter(({ turnId }) => isOpen(turnId)),
      subagents: [...subagents.values()],
      seq: hub.seq,
    };
  }

  isRunning(sessionKey: string): boolean {
    const turn = this.#sessions.get(sessionKey)?.turn;
    return turn !== undefined && this.#options.isOpen(turn.turnId);
  }

  isAsking(sessionKey: string): boolean {
    return (this.#sessions.get(sessionKey)?.asks.size ?? 0) > 0;
  }

  #open(sessionKey: string): LiveSession {
    const known = this.#sessions.get(sessionKey);
    if (known !== undefined) return known;
    if (this.#sessions.size >= mostSessions) this.#forgetQuiet();
    const session = { audience: {}, asks: new Map(), said: new Map(), subagents: new Map() };
    this.#sessions.set(sessionKey, session);
    return session;
  }

  #forgetQuiet(): void {
    for (const [key, { turn, delta, asks, said, subagents }] of this.#sessions) {
      const isWaiting = [...said.keys()].some((id) => this.#options.isOpen(id));
      const isBusy = turn !== undefined || delta !== undefined || asks.size + subagents.size > 0;
      if (!isWaiting && !isBusy) this.#sessions.delete(key);
    }
  }

  #join(sessionKey: string, session: LiveSession, next: { turnId: string; body: Delta }): void {
    const { delta } = session;
    const isSame = delta?.turnId === next.turnId && delta.body.type === next.body.type;
    if (delta !== undefined && isSame && delta.body.text.length < longestDelta) {
      delta.body.text += next.body.text;
      return;
    }
    this.#flush(sessionKey, session);
    const begun = { turnId: next.turnId, body: { ...next.body } };
    session.delta = begun;
    const { clock, signal } = this.#options;
    clock.sleep(joinMs, signal).then(
      () => session.delta === begun && this.#flush(sessionKey, session),
      () => {},
    );
  }

  #flush(sessionKey: string, session: LiveSession): void {
    const { delta } = session;
    session.delta = undefined;
    if (delta !== undefined) this.#publish(sessionKey, session, { type: "live", ...delta });
  }

  #tell(sessionKey: string, shown: Shown): void {
    const session = this.#open(sessionKey);
    this.#flush(sessionKey, session);
    this.#publish(sessionKey, session, shown);
  }

  #publish(sessionKey: string, session: LiveSession, shown: Shown): void {
    if (shown.type === "live" && shown.turnId === session.turn?.turnId) note(session.turn, shown.body);
    this.#options.hub.publish({ type: "shown", sessionKey, shown }, session.audience);
  }

  #end(sessionKey: string, session: LiveSession, turnId: string): void {
    const { clock, shown, moneyOf, onError } = this.#options;
    const { turn } = session;
    if (turn?.turnId !== turnId) return;
    session.turn = undefined;
    const at = clock.now();
    const money = moneyOf(turnId);
    const cost: TurnCost | undefined = turn.usage && {
      usage: turn.usage,
      ms: at - turn.startedAt,
      ...(money !== undefined && { money }),
    };
    this.#tell(sessionKey, { type: "settled", turnId, ...(cost && { cost }) });
    const kept: KeptTurn = { type: "turn", turnId, at, calls: turn.calls, ...(cost && { cost }) };
    shown.append(sessionKey, [kept]).catch(onError);
  }

  #toShown(sessionKey: string, { media, ...shown }: KeptSaid | KeptAside): Shown {
    const id = shown.type === "said" ? shown.turnId : shown.id;
    const attachments = this.#options.toAttachments(sessionKey, id, media);
    return { ...shown, ...(attachments && { attachments }) };
  }
}

/** Steps before the running one are stored: of them only what is stored nowhere stays. */
function note(turn: RunningTurn, body: LiveBody): void {
  if (body.type === "step-start")
    turn.bodies = turn.bodies.filter(({ type }) => type === "step-end" || type === "notice");
  if (body.type === "step-end") turn.usage = addUsage(turn.usage ?? noUsage, body.usage);
  if (body.type === "tool-end") turn.calls[body.callId] = { ms: body.ms, isError: body.isError };
  const last = turn.bodies.at(-1);
  const isMore = last?.type === body.type && (body.type === "text-delta" || body.type === "reasoning-delta");
  if (isMore) turn.bodies[turn.bodies.length - 1] = { ...body, text: join((last as Delta).text, body.text) };
  else turn.bodies.push(body);
  if (turn.bodies.length <= mostBodies) return;
  const dispensable = turn.bodies.findIndex(({ type }) => type === "tool-progress");
  turn.bodies.splice(Math.max(dispensable, 0), 1);
}

/** What runs on and on is shown from a later place on: all of it is stored in the end. */
function join(before: string, text: string): string {
  const whole = before + text;
  return whole.length <= 2 * longestRunning ? whole : takeTail(whole, longestRunning);
}

function toBounded(body: LiveBody): LiveBody {
  return body.type === "tool-end" ? { ...body, content: takeHead(body.content, longestResult) } : body;
}
