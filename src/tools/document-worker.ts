// The thread in which documents of strangers are taken apart: one job, one answer, and then it ends.
import { parentPort, workerData } from "node:worker_threads";
import type { DocumentJob } from "./document-thread.ts";
import { extractPage } from "./page-text.ts";
import { readOffice } from "./read-office.ts";
import { readPdf } from "./read-pdf.ts";

const job = workerData as DocumentJob;

function read(): unknown {
  switch (job.type) {
    case "page":
      return extractPage(job);
    case "pdf":
      return readPdf(job);
    case "office":
      return readOffice(job);
  }
}

parentPort?.postMessage(await read());
