// A gateway of its own for benchmarks: the built program on a home of this config, healthy when it is handed out.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface GatewayProcess {
  url: string;
  pid: number;
  /** From the start of the process to its first healthy answer. */
  startMs: number;
  close(): Promise<void>;
}

const launcher = join(import.meta.dirname, "../bin/nanobot.mjs");
const pollMs = 3;

export interface BenchHome {
  path: string;
  url: string;
  remove(): Promise<void>;
}

/** With a port of its own, which stays the same when the gateway is started again. */
export async function createBenchHome(config: Record<string, unknown>): Promise<BenchHome> {
  const path = await mkdtemp(join(tmpdir(), "nanobot-bench-"));
  const port = await findPort();
  await writeFile(join(path, "config.json"), JSON.stringify({ ...config, gateway: { port } }));
  const remove = () => rm(path, { recursive: true, force: true });
  return { path, url: `http://127.0.0.1:${port}`, remove };
}

export async function startGateway({ path, url }: BenchHome): Promise<GatewayProcess> {
  const env = { PATH: process.env.PATH, HOME: path, NANOBOT_HOME: path, LANG: "en_US.UTF-8" };
  const start = performance.now();
  const child = spawn(process.execPath, [launcher, "gateway"], { cwd: path, env, stdio: "ignore" });
  while (!(await isHealthy(url))) {
    if (child.exitCode !== null) throw new Error(`the gateway ended with ${child.exitCode}`);
    await sleep(pollMs);
  }
  const startMs = performance.now() - start;
  return { url, pid: child.pid ?? 0, startMs, close: () => end(child) };
}

async function isHealthy(url: string): Promise<boolean> {
  const response = await fetch(`${url}/health`).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.ok === true;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
}

/** `VmRSS`: what it holds now; `VmHWM`: the most it ever held. Linux only. */
export async function readMemory(pid: number, field: "VmRSS" | "VmHWM"): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1];
  return Number(kilobytes) / 1024;
}

/** Processor time that it has used so far, in ms. Linux only. */
export async function readProcessorTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name in brackets may hold anything; user and system time are the 12th and 13th field behind it, in ticks of 10 ms.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
