// Load: turns at a steady rate through the gateway's API, a thousand streaming at once, against raw fetch to the same model.
// [turns] [rate]; --sessions 0 keeps no conversation. Latencies count from when a turn was due. Needs a built dist/.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { percentile, printFigure } from "./report.ts";
import { createBenchHome, readMemory, readProcessorTime, startGateway } from "./start-gateway.ts";

interface Measured {
  firsts: number[];
  ends: number[];
  failures: number;
  mostStreaming: number;
  cpuMs: number;
  peakMb: number;
}

interface Load {
  url: string;
  turns: number;
  rate: number;
  /** Conversations that are kept, used in turn; 0: nothing is kept. */
  sessions: number;
}

export async function bench(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    options: { sessions: { type: "string", default: "1200" } },
    allowPositionals: true,
  });
  const [turns = "3000", rate = "200"] = positionals;
  const load = { turns: Number(turns), rate: Number(rate), sessions: Number(values.sessions) };
  const model = fork(join(import.meta.dirname, "slow-model-process.mjs"));
  const [port] = (await once(model, "message")) as [number];
  const apiBase = `http://127.0.0.1:${port}/v1`;
  const home = await createBenchHome({
    providers: { loopback: { apiBase, apiKey: "bench" } },
    agents: { defaults: { provider: "loopback", model: "bench", maxConcurrentTurns: 0 } },
    memory: { autoRecall: false },
    budget: { day: { tokens: 0 } },
  });
  const gateway = await startGateway(home);
  try {
    const api = `${gateway.url}/v1/chat/completions`;
    // In the middle of its conversations, with everything warm.
    await run({ ...load, url: api, turns: Math.max(load.sessions, load.rate) });
    const raw = await run({ ...load, url: `${apiBase}/chat/completions` });
    const before = await readProcessorTime(gateway.pid);
    const ours = await run({ ...load, url: api });
    const cpuMs = (await readProcessorTime(gateway.pid)) - before;
    print(raw, { ...ours, cpuMs, peakMb: await readMemory(gateway.pid, "VmHWM") });
  } finally {
    await gateway.close();
    await home.remove();
    await stop(model);
  }
}

async function run(load: Load): Promise<Measured> {
  const client = fork(join(import.meta.dirname, "load-client.mjs"), [JSON.stringify(load)]);
  const [measured] = (await once(client, "message")) as [Measured];
  return measured;
}

/** `ours` with what the gateway used, not its client. */
function print(raw: Measured, ours: Measured): void {
  printFigure({ name: "streaming-at-once", value: ours.mostStreaming, unit: "turns" });
  printFigure({ name: "failures", value: ours.failures + raw.failures, unit: "turns" });
  for (const [name, of] of [
    ["first-word", "firsts"],
    ["end", "ends"],
  ] as const) {
    for (const percent of [50, 99]) {
      const baseline = percentile(raw[of], percent);
      const value = percentile(ours[of], percent);
      printFigure({ name: `${name}-raw-p${percent}`, value: baseline, unit: "ms" });
      printFigure({ name: `${name}-p${percent}`, value, unit: "ms", baseline });
      printFigure({ name: `${name}-added-p${percent}`, value: value - baseline, unit: "ms" });
    }
  }
  const baseline = raw.cpuMs / raw.ends.length;
  printFigure({ name: "raw-processor", value: baseline, unit: "ms/turn" });
  printFigure({ name: "gateway-processor", value: ours.cpuMs / ours.ends.length, unit: "ms/turn", baseline });
  printFigure({ name: "raw-peak", value: raw.peakMb, unit: "MB" });
  printFigure({ name: "gateway-peak", value: ours.peakMb, unit: "MB", baseline: raw.peakMb });
}

async function stop(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill();
  await exit;
}
