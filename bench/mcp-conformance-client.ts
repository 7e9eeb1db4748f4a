// One scenario of the conformance suite: signs in where that is asked for, as a person without a browser would, and has
// `nanobot agent -m` call every tool of the server. The last argument is its address.
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { spawn as spawnTerminal } from "@lydell/node-pty";

const url = process.argv.at(-1) ?? "";
const { MCP_CONFORMANCE_SCENARIO: scenario = "", MCP_CONFORMANCE_CONTEXT: given = "{}" } = process.env;
const context = JSON.parse(given) as Record<string, string>;
const home = await mkdtemp(join(tmpdir(), "mcp-conformance-"));
const entry = join(import.meta.dirname, "../bin/nanobot.mjs");
const env = { PATH: process.env.PATH, HOME: home, NANOBOT_HOME: home, LANG: "en_US.UTF-8" };
const mostSignIns = 3;
const name = "suite";

interface Message {
  role: string;
  content?: unknown;
  tool_calls?: Array<{ function: { name: string } }>;
}

/** Calls each tool of the server once, then is done. What the tools said is kept. */
const results: string[] = [];
const model = createServer(async (request, response) => {
  const { messages = [], tools = [] } = JSON.parse((await text(request)) || "{}") as {
    messages?: Message[];
    tools?: Array<{
      function: { name: string; parameters: { properties?: Record<string, { type?: string }> } };
    }>;
  };
  const at = messages.findLastIndex(({ role }) => role === "user");
  const recent = messages.slice(at + 1);
  for (const { role, content } of recent) if (role === "tool") results.push(JSON.stringify(content));
  const called = recent.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function.name));
  const next = tools.find(
    ({ function: { name: tool } }) => tool.startsWith("mcp_") && !called.includes(tool),
  );
  const sample = (type?: string) =>
    type === "number" || type === "integer" ? 2 : type === "boolean" ? true : "x";
  const delta = next && {
    tool_calls: [
      {
        index: 0,
        id: `call_${called.length}`,
        type: "function",
        function: {
          name: next.function.name,
          arguments: JSON.stringify(
            Object.fromEntries(
              Object.entries(next.function.parameters.properties ?? {}).map(([key, { type }]) => [
                key,
                sample(type),
              ]),
            ),
          ),
        },
      },
    ],
  };
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = (choice: object) =>
    response.write(
      `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [choice] })}\n\n`,
    );
  chunk({ index: 0, delta: delta ?? { content: "done" } });
  chunk({ index: 0, delta: {}, finish_reason: delta ? "tool_calls" : "stop" });
  response.end("data: [DONE]\n\n");
});
await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve));
const apiBase = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;

const server = {
  url,
  toolTimeout: 120,
  ...(context.client_id && { clientId: context.client_id }),
  ...(context.client_secret && { clientSecret: context.client_secret }),
  ...(context.private_key_pem && {
    clientKey: context.private_key_pem,
    clientKeyAlgorithm: context.signing_algorithm ?? "ES256",
  }),
  ...(scenario.includes("client-credentials") && { auth: "clientCredentials" }),
  ...(scenario.includes("cimd") && {
    clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
  }),
};
const defaults = {
  provider: "custom",
  model: "m",
  generateTitles: false,
  workspace: join(home, "workspace"),
};
const config = {
  agents: { defaults },
  providers: { custom: { apiBase, apiKey: "sk-none-needed" } },
  tools: { approval: "off", mcpServers: { [name]: server } },
};
await writeFile(join(home, "config.json"), JSON.stringify(config));

/** Runs the program; each page to sign in on is opened as a browser would, and where it ends is pasted. */
function nanobot(...argv: string[]): Promise<string> {
  if (argv[0] === "agent" && /elicitation|client-request-state/.test(scenario)) return answerInTerminal(argv);
  const child = spawn(process.execPath, [entry, ...argv], { env, stdio: ["pipe", "pipe", "pipe"] });
  let output = "";
  let isOpened = false;
  const take = async (chunk: Buffer) => {
    output += chunk;
    const [page] = /^https?:\/\/\S+\?\S*response_type=code\S*\n/m.exec(output) ?? [];
    if (argv[1] !== "login" || page === undefined || isOpened) return;
    isOpened = true;
    const answer = await fetch(page.trim(), { redirect: "manual" });
    child.stdin.end(`${answer.headers.get("location") ?? ""}\n`);
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  if (argv[1] !== "login") child.stdin.end();
  child.stdin.on("error", () => {});
  return new Promise((resolve, reject) => child.on("error", reject).on("close", () => resolve(output)));
}

/** In a terminal, where the person takes the first choice of each question. */
function answerInTerminal(argv: string[]): Promise<string> {
  const terminal = spawnTerminal(process.execPath, [entry, ...argv], {
    env: { ...env, TERM: "xterm" },
    cols: 200,
  });
  let output = "";
  let answered = 0;
  terminal.onData((chunk) => {
    output += chunk;
    const asked = output.match(/\[N\][^\n]*/g)?.length ?? 0;
    if (asked > answered) terminal.write("1\r");
    answered = asked;
  });
  return new Promise((resolve) => terminal.onExit(() => resolve(output)));
}

const needsSignIn = (said: string) => /mcp login/.test(said);
let last = await nanobot("mcp", "test", name);
for (let signIns = 0; signIns < mostSignIns; signIns++) {
  if (needsSignIn(last)) last = await nanobot("mcp", "login", name, "--no-browser");
  if (needsSignIn(last) || !/connected/.test(last)) continue;
  results.length = 0;
  console.log(await nanobot("agent", "-m", "Call the tools."));
  last = results.join("\n");
  if (!needsSignIn(last)) break;
}
console.log(last);
model.close();
model.closeAllConnections();
await rm(home, { recursive: true, force: true });
