// A canary in every place that a secret can come from, and an owner's page that reads all there is to read: none of them
// goes over the wire.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { startFakeModel } from "../../../test/support/fake-model.ts";
import { closeTestGateways, createTestGateway } from "../../../test/support/test-gateway.ts";
import { closeWebClients, openWebClient, type WebClient } from "../../../test/support/web-client.ts";
import type { OperationName } from "../../server/protocol.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

const canaries = {
  key: "canary-key-4f9d8c7b6a",
  variable: "canary-variable-5e8c7b6a9d",
  environment: "canary-environment-6d7b6a9d8c",
  proxy: "canary-proxy-7c6a9d8c7b",
  webProxy: "canary-web-proxy-8b9d8c7b6a",
  header: "canary-header-9a8c7b6a9d",
  search: "canary-search-1f7b6a9d8c",
  server: "canary-server-2e6a9d8c7b",
  serverHeader: "canary-server-header-3d9d8c7b6a",
  argument: "canary-argument-8f6a9d8c7b",
  token: "canary-token-4c8c7b6a9d",
  channelProxy: "canary-channel-proxy-6a9d8c7b5e",
  mail: "canary-mail-7b6a9d8c7b",
  unknown: "canary-unknown-1a2b3c4d5e",
  typed: "sk-canary-typed-0f1e2d3c4b",
};

function toConfig(apiBase: string): Record<string, unknown> {
  const { key, header, proxy, webProxy, search, server, serverHeader, argument, token, mail } = canaries;
  return {
    providers: {
      mine: { apiKey: key, apiBase, extraHeaders: { "X-Team": header } },
      deepseek: { apiKey: "$" + "{CANARY}" },
      custom: { apiBase: "http://127.0.0.1:9/v1", proxy: `http://ann:${proxy}@127.0.0.1:9` },
    },
    tools: {
      web: {
        proxy: `http://ann:${webProxy}@127.0.0.1:9`,
        search: { provider: "brave", apiKey: search },
      },
      mcpServers: {
        broken: {
          command: process.execPath,
          args: ["-e", "console.error(process.env.TOKEN); process.exit(1)", "--api-key", argument],
          env: { TOKEN: server },
        },
        away: { url: "http://127.0.0.1:9/mcp", headers: { "X-Access": serverHeader } },
      },
    },
    channels: {
      telegram: {
        enabled: false,
        token,
        apiBase: "http://127.0.0.1:9",
        proxy: `http://ann:${canaries.channelProxy}@127.0.0.1:9`,
      },
      email: { enabled: false, imapPassword: mail, smtpPassword: mail, imapHost: "127.0.0.1" },
    },
    somebodys: { own: { apiToken: canaries.unknown } },
  };
}

/** Everything that only reads, or tries: what is left out changes something, and is tried below. */
const toReads = (apiBase: string): Array<[OperationName, unknown]> => [
  ["config.read", {}],
  ["config.read", {}],
  ["models.state", {}],
  ["models.hosts", {}],
  ["models.test", { host: "mine", model: "m", apiBase }],
  ["models.test", { host: "mine", model: "m", apiBase, apiKey: canaries.typed }],
  ["models.use", { host: "deepseek", model: "m", apiBase: "http://127.0.0.1:9/v1" }],
  ["channels.list", {}],
  ["pairing.list", {}],
  ["outbox.list", {}],
  ["channels.form", { name: "telegram" }],
  ["channels.form", { name: "email" }],
  ["channels.check", { name: "telegram", values: {} }],
  ["channels.check", { name: "telegram", values: { token: canaries.typed } }],
  ["channels.save", { name: "telegram", values: { enabled: true, apiBase: 5 } }],
  ["skills.list", {}],
  ["skills.extensions", {}],
  ["jobs.list", {}],
  ["heartbeat.read", {}],
  ["usage.report", { by: "model", from: 0 }],
  ["usage.csv", { by: "session", from: 0 }],
  ["usage.budgets", {}],
  ["chat.list", {}],
  ["chat.models", {}],
  ["chat.complete", {}],
  ["context.inspect", { sessionKey: "web:house" }],
  ["context.text", { sessionKey: "web:house", kind: "layer", name: "identity" }],
  ["context.text", { sessionKey: "web:house", kind: "history", name: "sent" }],
  ["context.text", { sessionKey: "web:house", kind: "message", name: "message" }],
  ["memory.files", {}],
  ["memory.log", {}],
  ["logs.follow", { isOn: true }],
  ["config.patch", { changes: [{ path: ["agents", "defaults", "maxTokens"], value: 999 }] }],
  ["config.patch", { changes: [{ path: ["agents", "defaults", "maxTokens"], value: "many" }] }],
  ["config.patch", { changes: [{ path: ["providers", "mine", "apiKey"], value: 5 }] }],
  ["config.patch", { changes: [{ path: ["providers", "other"], value: { apiKey: canaries.typed } }] }],
  ["logs.follow", { isOn: true }],
];

/** Answers and problems, as they came. */
async function readAll(client: WebClient, reads: Array<[OperationName, unknown]>): Promise<string[]> {
  const told: string[] = [];
  for (const [name, params] of reads) {
    const answer = await client.ask(name, params as never).catch(({ problem }) => problem);
    told.push(`${name} ${JSON.stringify(answer)}`);
  }
  return told;
}

test("no secret of the config, the environment or a trial goes over the wire", async () => {
  // A host that repeats what it was given, as some do.
  const model = await startFakeModel(({ authorization, ...rest }) => ({
    error: { status: 401, message: `Incorrect key: ${authorization} ${JSON.stringify(rest)}` },
  }));
  const secrets = { CANARY: canaries.variable, MISTRAL_API_KEY: canaries.environment };
  const gateway = await createTestGateway(
    { steps: ["Yes."], loop: true },
    { config: toConfig(model.url), variables: secrets },
  );
  const client = await openWebClient(gateway);
  await client.ask("chat.send", { sessionKey: "web:house", text: "hello" });
  await client.waitFor(({ event }) => event.type === "shown" && event.shown.type === "settled");
  gateway.app.log.error("odd", { error: new Error(`failed with ${Object.values(canaries).join(" ")}`) });
  const told = await readAll(client, toReads(model.url));
  const http = await gateway.post("/api/config.read", {}, { cookie: client.cookie, origin: gateway.url });
  told.push(await http.text(), JSON.stringify(client.events));
  for (const [place, canary] of Object.entries(canaries))
    for (const text of told)
      expect([place, text.includes(canary) ? text.slice(0, 3_000) : ""]).toEqual([place, ""]);
  expect(model.requests.length).toBeGreaterThan(1);
  const file = await readFile(join(gateway.home, "config.json"), "utf8");
  for (const canary of [canaries.key, canaries.proxy, canaries.argument]) expect(file).toContain(canary);
});
