// Parses untrusted documents in a worker thread, one at a time: some are written so that it takes for ever or
// all memory, and then only the thread ends. What it holds of the environment and of the process is nothing.

import { Worker } from "node:worker_threads";
import { onAbort } from "../../lib/abort.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { workerPath } from "../../lib/package-root.ts";
import type { PageRequest } from "../web/page-text.ts";
import type { PdfRequest } from "./document-worker.ts";
import type { OfficeRequest } from "./read-office.ts";

export type DocumentJob =
  | ({ type: "page" } & PageRequest)
  | ({ type: "pdf" } & PdfRequest)
  | ({ type: "office" } & OfficeRequest);

/** `reason` is what the library said, or why it was not waited for. */
export type DocumentOutcome<T> = { ok: true; value: T } | { ok: false; reason: string };

export interface ThreadOptions {
  signal: AbortSignal;
  /** Default 10 seconds. */
  timeoutMs?: number;
}

const mostMegabytes = 512;
const turns = new KeyedLock();

export function runInThread<T>(job: DocumentJob, options: ThreadOptions): Promise<DocumentOutcome<T>> {
  return turns.run("document", () => runJob<T>(job, options));
}

async function runJob<T>(
  job: DocumentJob,
  { signal, timeoutMs = 10_000 }: ThreadOptions,
): Promise<DocumentOutcome<T>> {
  signal.throwIfAborted();
  const worker = new Worker(workerPath("tools/documents/document-worker.ts"), {
    name: job.type,
    workerData: job,
    env: {},
    // What the libraries print is nobody's business.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  const { promise, resolve, reject } = Promise.withResolvers<DocumentOutcome<T>>();
  const fail = (reason: string) => resolve({ ok: false, reason });
  const timer = setTimeout(() => fail(`it took longer than ${timeoutMs / 1000} seconds`), timeoutMs);
  const forget = onAbort(signal, () => reject(signal.reason));
  worker.on("message", (value: T) => resolve({ ok: true, value }));
  worker.on("error", (error) => fail(error.message));
  worker.on("exit", () => fail("it ended without a word"));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    forget();
    await worker.terminate();
  }
}
