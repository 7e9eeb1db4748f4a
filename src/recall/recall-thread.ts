// Threads in which indexes live, for all homes of this process: one thread costs ten times as much memory as an index in
// it. A thread starts with its first home and ends with its last.
import { Worker } from "node:worker_threads";
import { systemClock } from "../lib/clock.ts";
import { workerPath } from "../lib/package-root.ts";
import type { RecallCall, RecallPlace } from "./index-engine.ts";
import type { RecallMessage, RecallReply } from "./recall-worker.ts";

export interface IndexListener {
  take(reply: RecallReply): void;
  /** The thread is gone; what was asked is not answered any more. */
  end(error?: Error): void;
}

/** With more homes, each thread has several. */
const mostThreads = 2;
/** In which an index closes. */
const patienceMs = 5_000;

const threads: RecallThread[] = [];
let lastIndex = 0;

/** In the thread with the fewest, or a new one. */
export function openIndexThread(place: RecallPlace, listener: IndexListener): IndexThread {
  const least = threads.toSorted((a, b) => a.size - b.size)[0];
  const isNew = least === undefined || (least.size > 0 && threads.length < mostThreads);
  return (isNew ? new RecallThread() : least).open(place, listener);
}

/** In this thread, for a process with one turn or search: another one would cost more than it saves. */
export function openIndexHere(place: RecallPlace, listener: IndexListener): IndexThread {
  const index = ++lastIndex;
  const opening = import("./index-engine.ts").then(
    ({ IndexEngine }) => new IndexEngine(place, (event, fields) => listener.take({ index, event, fields })),
  );
  return {
    send(id, call) {
      opening
        .then((engine) => engine.answer(call))
        .then(
          (result) => listener.take({ index, id, result }),
          (error: unknown) =>
            listener.take({ index, id, problem: error instanceof Error ? error.message : String(error) }),
        );
    },
    keepAlive() {},
    async close() {
      await (await opening).end();
      listener.end();
    },
  };
}

/** One index of a thread. */
export interface IndexThread {
  send(id: number, call: RecallCall): void;
  /** The thread keeps the process alive only while a caller waits for an answer. */
  keepAlive(isNeeded: boolean): void;
  /** Resolves when nothing of it is open. */
  close(): Promise<void>;
}

class RecallThread {
  readonly #worker: Worker;
  readonly #listeners = new Map<number, IndexListener>();
  readonly #needed = new Set<number>();
  readonly #closed = new Map<number, () => void>();

  constructor() {
    this.#worker = new Worker(workerPath("recall/recall-worker.ts"), {
      name: "recall",
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    this.#worker.on("message", (reply: RecallReply) => this.#take(reply));
    this.#worker.on("error", (error) => this.#end(error));
    this.#worker.on("exit", () => this.#end());
    threads.push(this);
  }

  get size(): number {
    return this.#listeners.size;
  }

  open(place: RecallPlace, listener: IndexListener): IndexThread {
    const index = ++lastIndex;
    this.#listeners.set(index, listener);
    this.#post({ index, open: place });
    return {
      send: (id, call) => this.#post({ index, id, call }),
      keepAlive: (isNeeded) => this.#keepAlive(index, isNeeded),
      close: () => this.#close(index),
    };
  }

  #keepAlive(index: number, isNeeded: boolean): void {
    if (isNeeded) this.#needed.add(index);
    else this.#needed.delete(index);
    if (this.#needed.size > 0) this.#worker.ref();
    else this.#worker.unref();
  }

  async #close(index: number): Promise<void> {
    const listener = this.#listeners.get(index);
    if (listener === undefined) return;
    const closed = Promise.withResolvers<void>();
    this.#closed.set(index, () => {
      listener.end();
      closed.resolve();
    });
    this.#keepAlive(index, true);
    this.#post({ index, close: true });
    const isOver = new AbortController();
    // One that cannot listen, because it is in the middle of something endless, is ended from outside, with all that is in it.
    const late = systemClock.sleep(patienceMs, isOver.signal).then(() => this.#worker.terminate());
    await Promise.race([closed.promise, late.catch(() => closed.promise)]);
    isOver.abort();
    this.#keepAlive(index, false);
  }

  #take(reply: RecallReply): void {
    if ("closed" in reply) {
      this.#listeners.delete(reply.index);
      if (this.#listeners.size > 0) this.#closed.get(reply.index)?.();
      else this.#finish();
    } else this.#listeners.get(reply.index)?.take(reply);
  }

  #post(message: RecallMessage): void {
    this.#worker.postMessage(message);
  }

  /** With the last index the thread ends: nothing of it is left then. */
  #finish(): void {
    this.#leave();
    this.#post("end");
  }

  #leave(): void {
    const at = threads.indexOf(this);
    if (at >= 0) threads.splice(at, 1);
  }

  #end(error?: Error): void {
    this.#leave();
    for (const listener of this.#listeners.values()) listener.end(error);
    this.#listeners.clear();
    for (const close of this.#closed.values()) close();
  }
}
