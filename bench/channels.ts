// What each channel costs: memory and processor time of a gateway a moment after its start, with no channel, with all of them
// configured and none enabled, and with one enabled whose platform is not there. [rounds] [channel ...]
import { setTimeout as sleep } from "node:timers/promises";
import { exampleOf } from "../scripts/channel-table.ts";
import { channelRows } from "../src/channels/index.ts";
import { median, printFigure } from "./report.ts";
import { createBenchHome, readMemory, readProcessorTime, startGateway } from "./start-gateway.ts";

/** A port that nobody listens to, under every name that a channel has for its platform. */
const nowhere = {
  ...Object.fromEntries(
    ["apiBase", "homeserver", "serverUrl", "tokenBase", "uploadBase"].map((key) => [
      key,
      "http://127.0.0.1:9",
    ]),
  ),
  ...Object.fromEntries(["host", "imapHost", "smtpHost"].map((key) => [key, "127.0.0.1"])),
  socketUrl: "ws://127.0.0.1:9",
  port: 9,
  imapPort: 9,
  smtpPort: 9,
};
const settledMs = 2_000;

export async function bench([rounds = "3", ...wanted]: string[]): Promise<void> {
  const names = channelRows
    .map(({ name }) => name)
    .filter((name) => wanted.length === 0 || wanted.includes(name));
  const toBlock = (name: string, enabled: boolean) => ({ ...exampleOf(name), ...nowhere, enabled });
  const variants = new Map<string, Record<string, unknown>>([
    ["none", {}],
    ["all-disabled", Object.fromEntries(names.map((name) => [name, toBlock(name, false)]))],
    ...names.map((name): [string, Record<string, unknown>] => [name, { [name]: toBlock(name, true) }]),
  ]);
  const memory = new Map<string, number[]>();
  const time = new Map<string, number[]>();
  // In turn, so that what else the machine does falls on all of them.
  for (let round = 0; round < Number(rounds); round++)
    for (const [name, channels] of variants) {
      const home = await createBenchHome({ channels });
      const gateway = await startGateway(home);
      await sleep(settledMs);
      memory.set(name, [...(memory.get(name) ?? []), await readMemory(gateway.pid, "VmRSS")]);
      time.set(name, [...(time.get(name) ?? []), await readProcessorTime(gateway.pid)]);
      await gateway.close();
      await home.remove();
    }
  const baseline = (values: Map<string, number[]>) => median(values.get("none") ?? []);
  for (const name of variants.keys()) {
    const [held, used] = [memory.get(name) ?? [], time.get(name) ?? []].map(median);
    printFigure({ name: `${name}-memory`, value: held ?? 0, unit: "MB", baseline: baseline(memory) });
    printFigure({ name: `${name}-processor`, value: used ?? 0, unit: "ms", baseline: baseline(time) });
  }
}
