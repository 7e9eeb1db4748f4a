// The official conformance suite of MCP, with this program as the client of its scenarios. Not a dependency: install
// @modelcontextprotocol/conformance anywhere and name that folder, or a scenario alone: npm run bench -- mcp-conformance <folder> [scenario].
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { printFigure } from "./report.ts";

/** Not meant for a personal assistant: a company's identity provider or workload identity vouches for the user. */
const notOurs = [
  "auth/cross-app-access-complete-flow",
  "auth/enterprise-managed-authorization",
  "auth/wif-jwt-bearer",
];
/** As long as a busy machine may need for three runs of the program. */
const timeoutMs = 600_000;

export async function bench([folder = ".", wanted]: string[]): Promise<void> {
  const suite = join(resolve(folder), "node_modules/.bin/conformance");
  if (!existsSync(suite)) {
    console.log("mcp-conformance skipped: install @modelcontextprotocol/conformance and name its folder");
    return;
  }
  const scenarios = wanted === undefined ? await listScenarios(suite) : [wanted];
  const client = `${process.execPath} ${join(import.meta.dirname, "mcp-conformance-client.ts")}`;
  const failed: string[] = [];
  for (const scenario of scenarios) {
    const started = Date.now();
    const argv = ["client", "--command", client, "--scenario", scenario, "--timeout", String(timeoutMs)];
    const { code, output } = await run(suite, argv);
    const checks = output.match(/Passed: .*|✗.*|FAILURE.*/g)?.join("; ") ?? "";
    const result = code === 0 ? "pass" : notOurs.includes(scenario) ? "left out" : "FAIL";
    if (result === "FAIL") failed.push(scenario);
    console.log(`${result} ${scenario} (${Math.round((Date.now() - started) / 1000)} s) ${checks}`);
    if (result === "FAIL" && wanted !== undefined) console.log(output);
  }
  printFigure({ name: "mcp-conformance-failed", value: failed.length, unit: "scenarios" });
}

async function listScenarios(suite: string): Promise<string[]> {
  const { output } = await run(suite, ["list"]);
  const [, clients = ""] = output.split("Client scenarios");
  const [listed = ""] = clients.split("\n\n");
  return [...listed.matchAll(/^\s+- (\S+)/gm)].map(([, name = ""]) => name);
}

function run(command: string, argv: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(command, argv, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  return new Promise((resolve, reject) =>
    child.on("error", reject).on("close", (code) => resolve({ code, output })),
  );
}
