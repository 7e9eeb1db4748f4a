// Several assistants on one machine, in one process: each with a memory, model and sign-in of its own, below a path of the
// first one's address.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpClient } from "../src/api/client.ts";
import { LocalHomes } from "../src/cluster/local-homes.ts";
import { createWords } from "../src/i18n/words.ts";
import { systemClock } from "../src/lib/clock.ts";
import { createScripted } from "../src/llm/scripted.ts";
import { resolveHome } from "../src/storage/home.ts";
import { eventually } from "./support/eventually.ts";
import { closeTestGateways, createTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { closeWebClients, openWebClient } from "./support/web-client.ts";

const closing: Array<() => Promise<void>> = [];

afterEach(async () => {
  await closeWebClients();
  for (const close of closing.splice(0)) await close();
  await closeTestGateways();
});

const providers = { custom: { apiKey: "of-the-first", apiBase: "http://127.0.0.1:9/v1" } };

async function open(): Promise<TestGateway & { homes: LocalHomes }> {
  let homes: LocalHomes | undefined;
  const gateway = await createTestGateway(
    { loop: true, steps: ["The first."] },
    {
      config: { providers, agents: { defaults: { model: "custom/m" } }, channels: { collectMs: 0 } },
      beforeBuild(home) {
        const env = { PATH: process.env.PATH, HOME: home, NANOBOT_HOME: home, NANOBOT_GATEWAY__PORT: "1" };
        mkdirSync(join(home, "homes", "broken"), { recursive: true });
        writeFileSync(join(home, "homes", "broken", "config.json"), '{"gateway": {"port": "x"}}');
        homes = new LocalHomes({
          ...{ paths: resolveHome({ env }), env, words: createWords("english"), clock: systemClock },
          provider: createScripted({
            loop: true,
            steps: [(request) => `Messages: ${request.messages.length}`],
          }),
        });
      },
      homes: {
        list: async () => homes?.list() ?? [],
        add: async (name) => homes?.add(name),
        remove: async (name) => homes?.remove(name),
      },
      pass: (...asked) => homes?.pass(...asked) === true,
    },
  );
  if (homes === undefined) throw new Error("not built");
  await homes.begin({ host: "127.0.0.1", url: gateway.url });
  closing.push(() => (homes as LocalHomes).close());
  return { ...gateway, homes };
}

describe("several assistants on one machine", () => {
  it("are added, talked to below their path, kept apart and removed", async () => {
    const { url, home, client } = await open();
    await client.call("homes.add", { name: "work" });
    await expect(client.call("homes.add", { name: "work" })).rejects.toMatchObject({
      phrase: { code: "homes.exists" },
    });
    await expect(client.call("homes.add", { name: "../x" })).rejects.toMatchObject({
      phrase: { code: "homes.bad-name" },
    });
    const list = async () => (await client.call("homes.list", {})).homes;
    await eventually(async () => (await list()).find(({ name }) => name === "work")?.isRunning).toBe(true);
    expect(await list()).toMatchObject([
      { name: "", path: "/", isRunning: true },
      { name: "broken", isRunning: false, problems: [expect.any(String)] },
      { name: "work", path: "/h/work/", isRunning: true, problems: [] },
    ]);
    // The model of the first one, and nothing else of it.
    const folder = join(home, "homes", "work");
    const config = JSON.parse(readFileSync(join(folder, "config.json"), "utf8"));
    expect(config).toEqual({ providers, agents: { defaults: { model: "custom/m" } } });

    const below = `${url}/h/work`;
    const moved = await fetch(below, { redirect: "manual" });
    expect([moved.status, moved.headers.get("location")]).toEqual([308, "/h/work/"]);
    expect((await fetch(`${below}/`)).status).toBe(200);
    expect((await fetch(`${url}/h/broken/`)).status).toBe(503);
    expect((await fetch(`${url}/h/none/`)).status).toBe(404);
    expect((await fetch(`${below}/`, { headers: { origin: "https://evil.example" } })).status).toBe(403);

    const address = JSON.parse(readFileSync(join(folder, "run", "gateway.json"), "utf8"));
    const inner = createHttpClient(address);
    expect((await inner.call("web.link", {})).urls[0]).toMatch(`${below}/#token=`);
    const page = await openWebClient({ url: below, client: inner });
    expect(page.cookie).toMatch(/^nanobot-work=/);
    // The cookie of one is no key to another.
    const me = (base: string, cookie: string) => fetch(`${base}/api/me`, { headers: { cookie } });
    expect((await me(below, page.cookie)).status).toBe(200);
    expect((await me(url, page.cookie)).status).toBe(401);
    const first = await openWebClient({ url, client });
    expect((await me(below, first.cookie)).status).toBe(401);

    for (const [talker, answer] of [
      [first, "The first."],
      [page, "Messages: "],
    ] as const) {
      await talker.ask("chat.open", { sessionKey: "web:one" });
      await talker.ask("chat.send", { sessionKey: "web:one", text: "hello" });
      await talker.waitFor(({ event }) => event.type === "shown" && event.shown.type === "settled");
      const { entries } = await talker.ask("chat.open", { sessionKey: "web:one" });
      expect(JSON.stringify(entries)).toContain(answer);
    }
    expect((await page.ask("homes.list", {})).homes).toHaveLength(3);
    await expect(page.ask("homes.remove", { name: "work" })).rejects.toMatchObject({
      problem: { code: "homes.own" },
    });

    await client.call("homes.remove", { name: "work" });
    expect(existsSync(folder)).toBe(false);
    expect((await fetch(`${below}/`)).status).toBe(404);
    expect((await list()).map(({ name }) => name)).toEqual(["", "broken"]);
  });

  it("begin with what is there, and again once their config can be used", async () => {
    const { url, home, client } = await open();
    const list = async () => (await client.call("homes.list", {})).homes;
    await eventually(async () => (await list())[1]?.problems.length).toBe(1);
    writeFileSync(join(home, "homes", "broken", "config.json"), "{}");
    // Whoever asks for it ends the pause.
    await eventually(async () => (await fetch(`${url}/h/broken/`)).status).toBe(200);
    expect((await list())[1]?.problems).toEqual([]);
  });
});
