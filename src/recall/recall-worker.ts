// The thread in which indexes live, one of each home, so that a search blocks no turn (recall-thread.ts is its other end).
import { parentPort } from "node:worker_threads";
import { IndexEngine, type RecallCall, type RecallPlace, type Warn } from "./index-engine.ts";

/** The thread ends by itself when all that it has open is closed: one that is ended from outside may leave a file open. */
export type RecallMessage =
  | { index: number; open: RecallPlace }
  | { index: number; id: number; call: RecallCall }
  | { index: number; close: true }
  | "end";

export type RecallReply = { index: number } & (
  | { id: number; result: unknown }
  | { id: number; problem: string }
  | { event: string; fields: Record<string, unknown> }
  | { closed: true }
);

function post(reply: RecallReply): void {
  parentPort?.postMessage(reply);
}

const workers = new Map<number, IndexEngine>();

parentPort?.on("message", (message: RecallMessage) => {
  if (message === "end") return parentPort?.close();
  const { index } = message;
  if ("open" in message) {
    const warn: Warn = (event, fields) => post({ index, event, fields });
    workers.set(index, new IndexEngine(message.open, warn));
    return;
  }
  const worker = workers.get(index);
  if ("close" in message) {
    workers.delete(index);
    void Promise.resolve(worker?.end()).finally(() => post({ index, closed: true }));
    return;
  }
  const { id, call } = message;
  worker?.answer(call).then(
    (result) => post({ index, id, result }),
    (error: unknown) => post({ index, id, problem: error instanceof Error ? error.message : String(error) }),
  );
});
