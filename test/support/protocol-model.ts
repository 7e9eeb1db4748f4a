// The protocol of docs/durability.md as a small machine: two stores, a platform, tools whose effects are counted, and
// every step at which a process can die or a machine lose its power. Knows nothing of the real parts.

export type CallKind = "read-only" | "safe" | "by-call-id" | "never";

export interface Scene {
  /** Calls of the model's replies before the last one, which is the answer. */
  replies: CallKind[][];
  parts: number;
  /** The platform drops a second part with the same id. */
  hasKey: boolean;
  /** A second message is taken along: said in the same breath, or while the tools run. */
  joins?: "burst" | "injected";
}

/** A rule of the protocol; one that is left out must show. */
export type Rule =
  | "accept before the platform is told"
  | "reply on the disk before its calls"
  | "earlier results on the disk before a call"
  | "result of a call on the disk"
  | "answer on the disk before it is queued"
  | "answer and done in one step"
  | "a call that may have happened is not repeated"
  | "what joined a dead turn is told of"
  | "append once";

/** What of the writes that were not forced to the disk is gone. A killed process loses nothing of them. */
export type Loss = "nothing" | "session" | "queue" | "both";
export const losses: readonly Loss[] = ["nothing", "session", "queue", "both"];

export interface Crash {
  /** Steps that the life lasts. */
  after: number;
  loss: Loss;
}

interface Entry {
  id: string;
  turn: string;
  isFinal?: boolean;
  isNote?: boolean;
}

interface Queue {
  inbox: Record<string, { state: "waiting" | "done" | "failed"; attempts: number }>;
  outbox: Record<string, "waiting" | "sent">;
}

const mostAttempts = 3;

export class World {
  readonly scene: Scene;
  readonly #without: Rule | undefined;
  #session: Entry[] = [];
  #sessionOnDisk = 0;
  #queue: Queue = { inbox: {}, outbox: {} };
  #queueOnDisk = this.#queue;
  /** What the platform still has to hand over. */
  #unacknowledged: Set<string>;
  readonly #effects = new Map<string, number>();
  readonly #shown: string[] = [];
  readonly #settled: string[] = [];
  /** The messages that a part answers, or that it names when it apologises. */
  readonly #named = new Map<string, Set<string>>();
  /** Calls whose results were in the session when the life went on. */
  readonly #finished = new Set<string>();
  readonly #repeated: string[] = [];

  constructor(scene: Scene, without?: Rule) {
    this.scene = scene;
    this.#without = without;
    this.#unacknowledged = new Set(scene.joins === undefined ? ["T"] : ["T", "T2"]);
  }

  /** Whether that kind of loss would differ from a smaller one now. */
  canLose(loss: Loss): boolean {
    const hasSession = this.#session.length > this.#sessionOnDisk;
    const hasQueue = this.#queue !== this.#queueOnDisk;
    if (loss === "both") return hasSession && hasQueue;
    return loss === "nothing" || (loss === "session" ? hasSession : hasQueue);
  }

  crash(loss: Loss): void {
    if (loss === "session" || loss === "both") this.#session = this.#session.slice(0, this.#sessionOnDisk);
    if (loss === "queue" || loss === "both") this.#queue = this.#queueOnDisk;
    // What survived was read back from the disk: it will not be lost later.
    this.#sessionOnDisk = this.#session.length;
    this.#queueOnDisk = this.#queue;
  }

  /** One life of the process: each step is yielded once it is done. */
  *live(): Generator<void> {
    yield* this.#accept("T");
    if (this.#isOpen("T")) yield* this.#turn();
    yield* this.#accept("T2");
    if (this.#isOpen("T2")) yield* this.#turnOfJoined();
    for (const [id, state] of Object.entries(this.#queue.outbox))
      if (state === "waiting") yield* this.#send(id);
  }

  /** Whatever is not as it was promised, after these crashes. */
  faults(crashes: readonly Crash[]): string[] {
    const { parts, hasKey, replies } = this.scene;
    const faults: string[] = [];
    const messages = Object.entries(this.#queue.inbox);
    if (this.#unacknowledged.size > 0) faults.push("a message was never taken");
    for (const [id, { state }] of messages) if (state === "waiting") faults.push(`${id} is still open`);
    for (const id of ["T", "T2"]) if (count(this.#settled, id) > 1) faults.push(`${id} was settled twice`);
    if (messages.length !== (this.scene.joins === undefined ? 1 : 2)) faults.push("a message is lost");
    for (const [id] of messages)
      if (!this.#shown.some((part) => this.#named.get(part)?.has(id)))
        faults.push(`nobody was told of ${id}`);
    const wanted = Array.from({ length: parts }, (_, part) => `T:final#${part}`);
    const isApology = this.#queue.inbox.T?.state === "failed";
    const missing = (isApology ? ["T:final#0"] : wanted).filter((id) => !this.#shown.includes(id));
    if (missing.length > 0) faults.push(`never shown: ${missing.join()}`);
    const copies = this.#shown.length - new Set(this.#shown).size;
    const cuts = crashes.filter(({ loss }) => loss === "queue" || loss === "both").length;
    // A kill can hide one sending; a cut hides all since the last write that was forced to the disk.
    const mostCopies = crashes.length - cuts + cuts * new Set(this.#shown).size;
    if (copies > (hasKey ? 0 : mostCopies)) faults.push(`${copies} parts were shown again`);
    faults.push(...this.#repeated.map((id) => `${id} ran again after it was finished`));
    for (const id of new Set(this.#session.map((entry) => entry.id)))
      if (this.#session.filter((entry) => entry.id === id).length > 1) faults.push(`${id} is stored twice`);
    if (isApology) return faults;
    if (!this.#session.some(({ turn, isFinal }) => turn === "T" && isFinal))
      faults.push("the conversation does not hold the answer");
    for (const [step, calls] of replies.entries())
      for (const [index, kind] of calls.entries())
        faults.push(...this.#faultsOfCall(`T.${step}.${index}`, kind));
    return faults;
  }

  #faultsOfCall(id: string, kind: CallKind): string[] {
    const result = this.#session.find((entry) => entry.id === id);
    const effects = this.#effects.get(id) ?? 0;
    if (result === undefined) return [`${id} has no result`];
    if (result.isNote === true && this.#finished.has(id)) return [`the result of ${id} is gone`];
    if (kind === "never" && effects > 1) return [`${id} happened ${effects} times`];
    if (kind === "by-call-id" && effects !== 1) return [`${id} happened ${effects} times under one key`];
    return effects === 0 && result.isNote !== true ? [`${id} never happened and nobody was told`] : [];
  }

  *#setAside(ids: readonly string[]): Generator<void> {
    this.#settle(ids, [`${ids[0]}:final#0`], "failed");
    yield;
  }

  *#accept(id: string): Generator<void> {
    if (!this.#unacknowledged.has(id)) return;
    if (!this.#keeps("accept before the platform is told")) {
      this.#unacknowledged.delete(id);
      yield;
    }
    const known = this.#queue.inbox[id];
    if (known === undefined)
      this.#change({ inbox: { [id]: { state: "waiting", attempts: 0 } } }, { isDurable: true });
    yield;
    this.#unacknowledged.delete(id);
    yield;
  }

  #isOpen(id: string): boolean {
    return this.#queue.inbox[id]?.state === "waiting";
  }

  *#turn(): Generator<void> {
    const hasDied = yield* this.#claim("T");
    if (hasDied && !this.#isFinal("T")) {
      const isWhole = this.#keeps("what joined a dead turn is told of");
      return yield* this.#setAside(isWhole ? this.#withJoined() : ["T"]);
    }
    yield* this.#append({ id: "T", turn: "T" });
    if (this.scene.joins === "burst") yield* this.#takeAlong();
    for (const [step, calls] of this.scene.replies.entries()) {
      const id = `T.${step}`;
      const wasThere = this.#has(id);
      const areReadOnly = calls.every((kind) => kind === "read-only");
      const isDurable = !areReadOnly && this.#keeps("reply on the disk before its calls");
      yield* this.#append({ id, turn: "T" }, isDurable);
      yield* wasThere ? this.#finishCalls(id, calls) : this.#runCalls(id, calls, 0);
      if (step === 0 && this.scene.joins === "injected") yield* this.#takeAlong();
    }
    const isDurable = this.#keeps("answer on the disk before it is queued");
    const last = `T.${this.scene.replies.length}`;
    if (isDurable) yield* this.#append({ id: last, turn: "T", isFinal: true }, true);
    yield* this.#answer();
    if (!isDurable) yield* this.#append({ id: last, turn: "T", isFinal: true });
  }

  /** Whether it has killed too many processes. */
  *#claim(id: string): Generator<void, boolean> {
    const row = this.#queue.inbox[id] ?? { state: "waiting", attempts: 0 };
    this.#change({ inbox: { [id]: { ...row, attempts: row.attempts + 1 } } }, { isDurable: false });
    yield;
    return row.attempts >= mostAttempts;
  }

  *#takeAlong(): Generator<void> {
    yield* this.#accept("T2");
    if (this.#isOpen("T2")) yield* this.#append({ id: "T2", turn: "T" });
  }

  /** Handed out on its own: its turn is dead, or it came too late to be part of it and becomes one. */
  *#turnOfJoined(): Generator<void> {
    const hasDied = yield* this.#claim("T2");
    const own = this.#session.find(({ id }) => id === "T2");
    if (own?.turn === "T" && (this.#isFinal("T") || !this.#keeps("what joined a dead turn is told of"))) {
      this.#settle(["T2"], []);
      yield;
      return;
    }
    if (own?.turn === "T" || (hasDied && !this.#isFinal("T2"))) return yield* this.#setAside(["T2"]);
    yield* this.#append({ id: "T2", turn: "T2" });
    yield* this.#append({ id: "T2.0", turn: "T2", isFinal: true }, true);
    this.#settle(["T2"], ["T2:final#0"]);
    yield;
  }

  *#runCalls(reply: string, calls: readonly CallKind[], from: number): Generator<void> {
    for (const [index, kind] of calls.entries()) {
      if (index < from) continue;
      const id = `${reply}.${index}`;
      const before = this.#effects.get(id) ?? 0;
      if (kind !== "read-only" && this.#finished.has(id)) this.#repeated.push(id);
      this.#effects.set(id, kind === "by-call-id" ? 1 : before + 1);
      yield;
      const changes = kind !== "read-only" && this.#keeps("result of a call on the disk");
      const isWaitedFor = calls.slice(index + 1).some((later) => later !== "read-only");
      const isEarlier = isWaitedFor && this.#keeps("earlier results on the disk before a call");
      yield* this.#append({ id, turn: "T" }, changes || isEarlier);
      this.#finished.add(id);
    }
  }

  /** The first without a result may have happened; those after it never began. */
  *#finishCalls(reply: string, calls: readonly CallKind[]): Generator<void> {
    const first = calls.findIndex((_, index) => !this.#has(`${reply}.${index}`));
    if (first === -1) return;
    const isRepeated =
      calls[first] !== "never" || !this.#keeps("a call that may have happened is not repeated");
    if (!isRepeated) yield* this.#append({ id: `${reply}.${first}`, turn: "T", isNote: true }, true);
    yield* this.#runCalls(reply, calls, isRepeated ? first : first + 1);
  }

  *#answer(): Generator<void> {
    const ids = this.#withJoined();
    const parts = Array.from({ length: this.scene.parts }, (_, part) => `T:final#${part}`);
    if (!this.#keeps("answer and done in one step")) {
      this.#settle(ids, []);
      yield;
    }
    this.#settle(ids, parts);
    yield;
  }

  *#send(id: string): Generator<void> {
    if (!this.scene.hasKey || !this.#shown.includes(id)) this.#shown.push(id);
    yield;
    this.#change({ outbox: { [id]: "sent" } }, { isDurable: false });
    yield;
  }

  *#append(entry: Entry, isDurable = false): Generator<void> {
    if (!this.#has(entry.id) || !this.#keeps("append once")) this.#session = [...this.#session, entry];
    if (isDurable) this.#sessionOnDisk = this.#session.length;
    yield;
  }

  #withJoined(): string[] {
    const isJoined = this.#session.some(({ id, turn }) => id === "T2" && turn === "T");
    return isJoined ? ["T", "T2"] : ["T"];
  }

  #isFinal(turn: string): boolean {
    return this.#session.some((entry) => entry.turn === turn && entry.isFinal === true);
  }

  #has(id: string): boolean {
    return this.#session.some((entry) => entry.id === id);
  }

  #settle(ids: readonly string[], parts: readonly string[], state: "done" | "failed" = "done"): void {
    const open = ids.filter((id) => this.#isOpen(id));
    for (const part of parts) {
      const named = this.#named.get(part) ?? new Set();
      this.#named.set(part, new Set([...named, ...open]));
    }
    this.#settled.push(...open);
    const { inbox, outbox } = this.#queue;
    const settled = open.map((id) => [id, { attempts: inbox[id]?.attempts ?? 0, state }] as const);
    const fresh = parts.filter((id) => outbox[id] === undefined).map((id) => [id, "waiting"] as const);
    const change = { inbox: Object.fromEntries(settled), outbox: Object.fromEntries(fresh) };
    this.#change(change, { isDurable: true });
  }

  #change({ inbox, outbox }: Partial<Queue>, { isDurable }: { isDurable: boolean }): void {
    this.#queue = {
      inbox: { ...this.#queue.inbox, ...inbox },
      outbox: { ...this.#queue.outbox, ...outbox },
    };
    if (isDurable) this.#queueOnDisk = this.#queue;
  }

  #keeps(rule: Rule): boolean {
    return this.#without !== rule;
  }
}

/** Lives that end as the crashes say, and a last one without: what was wrong then, or why there is nothing to see. */
export function runLives(
  scene: Scene,
  crashes: readonly Crash[],
  without?: Rule,
): string[] | "over before its crash" | "nothing to lose" {
  const world = new World(scene, without);
  for (const { after, loss } of crashes) {
    const life = world.live();
    for (let step = 0; step < after; step++) if (life.next().done === true) return "over before its crash";
    if (!world.canLose(loss)) return "nothing to lose";
    world.crash(loss);
  }
  for (const _ of world.live());
  return world.faults(crashes);
}

function count(list: readonly string[], wanted: string): number {
  return list.filter((each) => each === wanted).length;
}
