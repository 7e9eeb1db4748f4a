// The thread in which documents of strangers are taken apart: one job, one answer, and then it ends.
import { parentPort, workerData } from "node:worker_threads";
import type { DocumentJob } from "./document-thread.ts";
import { extractPage } from "./page-text.ts";
import { readPdf } from "./read-pdf.ts";

const job = workerData as DocumentJob;
parentPort?.postMessage(job.type === "page" ? await extractPage(job) : await readPdf(job));
