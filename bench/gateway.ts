// Gateway: start to the first healthy answer, and memory when idle with Telegram enabled, against bare node. Needs dist/.
// Starts of both are interleaved, so that a busy machine slows both.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startFakeTelegram } from "../test/support/fake-telegram.ts";
import { startModel } from "./loopback-model.ts";
import { median, printFigure } from "./report.ts";
import { createBenchHome, readMemory, startGateway } from "./start-gateway.ts";

/** What a start leaves is collected when nothing has happened for some eight seconds. */
const idleMs = 12_000;

export async function bench(argv: string[]): Promise<void> {
  const { values } = parseArgs({ args: argv, options: { runs: { type: "string", default: "11" } } });
  await using telegram = await startFakeTelegram();
  const model = await startModel();
  const home = await createBenchHome({
    providers: { loopback: { apiBase: model.apiBase, apiKey: "bench" } },
    agents: { defaults: { provider: "loopback", model: "bench" } },
    channels: {
      telegram: { enabled: true, token: telegram.token, apiBase: telegram.url, owners: ["42"] },
    },
  });
  try {
    await compareStarts(home, Number(values.runs));
    await compareMemory(home, () => telegram.waitFor(() => telegram.polls > 0));
  } finally {
    await model.close();
    await home.remove();
  }
}

type Home = Parameters<typeof startGateway>[0];

async function compareStarts(home: Home, runs: number): Promise<void> {
  const bare: number[] = [];
  const healthy: number[] = [];
  // The first rounds fill the compile cache and the disk's.
  for (let round = -2; round < runs; round++) {
    const bareMs = await timeBareNode();
    const gateway = await startGateway(home);
    await gateway.close();
    if (round < 0) continue;
    bare.push(bareMs);
    healthy.push(gateway.startMs);
  }
  const baseline = median(bare);
  printFigure({ name: "bare-node", value: baseline, unit: "ms" });
  printFigure({ name: "start-to-healthy", value: median(healthy), unit: "ms", baseline });
}

async function timeBareNode(): Promise<number> {
  const start = performance.now();
  await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit");
  return performance.now() - start;
}

async function compareMemory(home: Home, untilConnected: () => Promise<void>): Promise<void> {
  const bare = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
  const gateway = await startGateway(home);
  await untilConnected();
  await sleep(idleMs);
  const baseline = await readMemory(bare.pid ?? 0, "VmRSS");
  printFigure({ name: "bare-node-idle", value: baseline, unit: "MB" });
  printFigure({ name: "gateway-idle", value: await readMemory(gateway.pid, "VmRSS"), unit: "MB", baseline });
  bare.kill();
  await gateway.close();
}
