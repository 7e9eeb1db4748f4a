// A model for benchmarks: a server in a process of its own that answers every request at once with a few deltas.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export interface LoopbackModel {
  apiBase: string;
  close(): Promise<void>;
}

export async function startModel(): Promise<LoopbackModel> {
  const child: ChildProcess = fork(join(import.meta.dirname, "loopback-model-process.mjs"));
  const [port] = (await once(child, "message")) as [number];
  return {
    apiBase: `http://127.0.0.1:${port}/v1`,
    async close() {
      const exit = once(child, "exit");
      child.kill();
      await exit;
    },
  };
}
