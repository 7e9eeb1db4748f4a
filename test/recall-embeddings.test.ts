// Finding by meaning, with a server on loopback that speaks OpenAI's `/embeddings`: computed in the background, in the ledger,
// without secrets, apart for each person, and never waited for.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import type { Scope } from "../src/storage/scope.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

const apiKey = "sk-embeddings-0123456789abcdef0123456789";
/** Words of one row mean the same here. */
const meanings = ["dog puppy terrier pet", "rent landlord flat", "train station", "soup kitchen"];

function toVector(text: string): number[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return meanings.map((row) => 0.01 + words.filter((word) => row.split(" ").includes(word)).length);
}

interface Host {
  texts: string[];
  baseUrl: string;
  /** As the server answers from now on. */
  mode: "fine" | "silent" | "broken";
}

async function startHost(): Promise<Host> {
  const host: Host = { texts: [], baseUrl: "", mode: "fine" };
  const server: Server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      if (host.mode === "silent") return;
      const { input } = JSON.parse(body) as { input: string[] };
      host.texts.push(...input);
      const data = input.map((text, index) => ({ index, embedding: toVector(text) }));
      const reply = host.mode === "broken" ? { data: [{ embedding: ["x"] }] } : { data };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ ...reply, usage: { prompt_tokens: 10 * input.length } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  host.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return host;
}

async function createWithHost(host: Host, more: object = {}): Promise<TestApp> {
  return createTestApp([], {
    config: {
      providers: { custom: { apiBase: host.baseUrl, apiKey } },
      memory: { embeddings: { provider: "custom", model: "meanings" } },
      ...more,
    },
  });
}

async function say(app: TestApp, key: string, texts: string[], scope: Scope = "owner"): Promise<void> {
  const session = await app.sessions.open(key, scope);
  await session.updateMetadata({ scope });
  const toEntry = (content: string, at: number) => {
    const id = `${key}-${at}`;
    return { id, turn: id, message: { role: "user" as const, content } };
  };
  await session.append(texts.map(toEntry));
  await app.recall.refresh();
}

async function find(app: TestApp, query: string, scope: Scope = "owner") {
  return (await app.recall.search({ query, scope })).hits.map(({ text, why }) => [text, why.reasons]);
}

const said = ["Our terrier is called Bruno", "The landlord wrote again", "We met at the station"];

describe("embeddings", () => {
  it("find what is said in other words, and say so; without a vector only words count", async () => {
    const host = await startHost();
    const app = await createWithHost(host);
    await say(app, "cli:direct", said);
    expect(await find(app, "What about the puppy?")).toEqual([]);
    // With MEMORY.md and USER.md.
    expect(await app.recall.embed()).toBe(said.length + 2);
    expect((await find(app, "What about the puppy?"))[0]).toEqual([said[0], ["similar"]]);
    expect((await find(app, "landlord"))[0]?.[0]).toBe(said[1]);
    expect(await app.recall.embed()).toBe(0);
  });

  it("are in the ledger with their cause, and stop at their budget", async () => {
    const host = await startHost();
    const app = await createWithHost(host, { budget: { causes: { recall: { day: { tokens: 20 } } } } });
    await say(app, "cli:direct", said);
    await app.recall.embed();
    const client = await app.clientFor({ person: "owner", role: "owner" });
    const { rows } = await client.call("usage.report", { by: "cause" });
    expect(rows).toMatchObject([{ group: "recall", calls: 1, fresh: 50 }]);
    await say(app, "cli:more", ["The soup was cold"]);
    expect(await app.recall.embed()).toBe(0);
    expect(host.texts).toHaveLength(5);
    expect((await find(app, "soup"))[0]?.[0]).toBe("The soup was cold");
  });

  it("are asked for without secrets", async () => {
    const host = await startHost();
    const app = await createWithHost(host);
    await say(app, "cli:direct", [`my key for the dog is ${apiKey}`]);
    await app.recall.embed();
    expect(host.texts.join("\n")).toContain("my key for the dog");
    expect(host.texts.join("\n")).not.toContain(apiKey);
  });

  it("are kept apart, and forgotten with what they are of", async () => {
    const host = await startHost();
    const app = await createWithHost(host);
    await say(app, "cli:direct", said);
    await say(app, "telegram:1", ["Ann has a puppy, too"], "person:ann");
    await app.recall.embed();
    expect((await find(app, "pet", "person:ann")).map(([text]) => text)).toEqual(["Ann has a puppy, too"]);
    expect((await find(app, "pet")).map(([text]) => text)).not.toContain("Ann has a puppy, too");
    const session = await app.sessions.open("cli:direct", "owner");
    await session.updateMetadata({ forgotten: ["cli:direct-0"] });
    await app.recall.refresh();
    expect((await find(app, "pet")).map(([text]) => text)).not.toContain(said[0]);
  });

  it.each(["silent", "broken"] as const)("of a host that is %s change nothing for words", async (mode) => {
    const host = await startHost();
    const app = await createWithHost(host);
    await say(app, "cli:direct", said);
    await app.recall.embed();
    host.mode = mode;
    const { entries } = await app.recall.recallFor("What did the landlord write?", { scope: "owner" });
    expect(entries.map(({ text }) => text)).toEqual([said[1]]);
    expect((await find(app, "landlord"))[0]?.[0]).toBe(said[1]);
  });
});
