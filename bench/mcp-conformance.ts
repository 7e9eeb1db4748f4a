// The official conformance suite of MCP, with this program as the client of its scenarios. Not a dependency: install
// @modelcontextprotocol/conformance anywhere and name that folder, or a scenario alone: npm run bench -- mcp-conformance <folder> [scenario].
// `server` in place of a scenario: those that a gateway is asked by, at its `/mcp`.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { createHttpClient, type GatewayAddress } from "../src/api/client.ts";
import { printFigure } from "./report.ts";
import { createBenchHome, startGateway } from "./start-gateway.ts";

/** Not meant for a personal assistant: a company's identity provider or workload identity vouches for the user. */
const notOurs = [
  "auth/cross-app-access-complete-flow",
  "auth/enterprise-managed-authorization",
  "auth/wif-jwt-bearer",
  // Proofs of possession are not supported.
  "auth/dpop",
  "auth/dpop-nonce",
  // The model sees a schema whose references are resolved, on purpose.
  "json-schema-2020-12-preservation",
];
/** Of an assistant; the others ask for tools, resources and prompts of a server made for the suite. */
const serverScenarios = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];
/** As long as a busy machine may need for three runs of the program. */
const timeoutMs = 600_000;

export async function bench([folder = ".", wanted]: string[]): Promise<void> {
  const suite = join(resolve(folder), "node_modules/.bin/conformance");
  if (!existsSync(suite)) {
    console.log("mcp-conformance skipped: install @modelcontextprotocol/conformance and name its folder");
    return;
  }
  if (wanted === "server") return benchServer(suite);
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

async function benchServer(suite: string): Promise<void> {
  const home = await createBenchHome({ agents: { defaults: { provider: "offline", model: "offline" } } });
  const gateway = await startGateway(home);
  const address = JSON.parse(await readFile(join(home.path, "run/gateway.json"), "utf8")) as GatewayAddress;
  const operations = ["terminal.ask", "memory.search", "jobs.list"];
  const { token } = await createHttpClient(address).call("tokens.add", { name: "suite", operations });
  // The suite has no way to send a token.
  const relay = createServer((incoming, response) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const outgoing = request(
      `${gateway.url}${incoming.url}`,
      { method: incoming.method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((ready) => relay.listen(0, "127.0.0.1", ready));
  const url = `http://127.0.0.1:${(relay.address() as AddressInfo).port}/mcp`;
  let failed = 0;
  for (const scenario of serverScenarios) {
    const { code, output } = await run(suite, ["server", "--url", url, "--scenario", scenario]);
    if (code !== 0) failed += 1;
    console.log(`${code === 0 ? "pass" : "FAIL"} ${scenario}`);
    if (code !== 0) console.log(output);
  }
  relay.close();
  await gateway.close();
  await home.remove();
  printFigure({ name: "mcp-conformance-server-failed", value: failed, unit: "scenarios" });
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
