// The durability contract with an engine that keeps the home elsewhere: everything durable is announced, what was
// committed is a home that opens, and a commit that fails delays an answer and loses nothing.
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { buildGateway } from "../src/app/build-gateway.ts";
import { createWords } from "../src/i18n/words.ts";
import { type CodeScript, createScripted } from "../src/llm/scripted.ts";
import { resolveHome } from "../src/storage/home.ts";
import { serveHome } from "../src/storage/served-homes.ts";
import { eventually } from "./support/eventually.ts";
import { moveMarkers, RecordingDurability, readKept, readTables } from "./support/recording-durability.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestGateways, createTestGateway, type TestGatewayOptions } from "./support/test-gateway.ts";
import { closeWebClients, openWebClient, type WebClient } from "./support/web-client.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

const sessionKey = "web:one";

async function open(script: CodeScript, options: TestGatewayOptions = {}) {
  const copy = join(await createTemporaryFolder(), "copy");
  let engine: RecordingDurability | undefined;
  const gateway = await createTestGateway(script, {
    ...options,
    beforeBuild(home) {
      engine = new RecordingDurability(home, copy);
      onTestFinished(serveHome(home, engine));
    },
  });
  if (engine === undefined) throw new Error("it was not begun");
  const client = await openWebClient(gateway);
  await client.ask("chat.open", { sessionKey });
  return { gateway, engine, copy, client };
}

async function say(client: WebClient, text: string, files: string[] = []): Promise<void> {
  const { turnId } = await client.ask("chat.send", { sessionKey, text, ...(files.length > 0 && { files }) });
  // An answer is settled; that of a command is shown aside.
  await client.waitFor(
    ({ event }) =>
      event.type === "shown" &&
      (event.shown.type === "settled" || event.shown.type === "aside") &&
      event.shown.turnId === turnId,
  );
}

const script: CodeScript = {
  loop: true,
  steps: [
    ({ messages }) => {
      const last = JSON.stringify(messages.at(-1));
      const calls: Record<string, { name: string; arguments: Record<string, unknown> }> = {
        "write it": { name: "write_file", arguments: { path: "notes/a.md", content: "one\ntwo\n" } },
        "edit it": {
          name: "edit_file",
          arguments: { path: "notes/a.md", old_text: "two", new_text: "three" },
        },
        "run it": { name: "exec", arguments: { command: "mkdir -p made && echo hi > made/by-command.txt" } },
      };
      const call = Object.entries(calls).find(
        ([said]) => last.includes(`"user"`) && last.includes(said),
      )?.[1];
      return call === undefined ? "Done." : { toolCalls: [call] };
    },
  ],
};

/** As another machine begins with it. */
async function answerFrom(home: string): Promise<string> {
  moveMarkers(home);
  const env = {
    HOME: home,
    NANOBOT_HOME: home,
    PATH: process.env.PATH,
    NANOBOT_MEMORY__AUTO_RECALL: "false",
  };
  const provider = createScripted({ loop: true, steps: ["Still here."] });
  const options = { page: () => "", onStop() {}, words: createWords("english"), port: 0, env, provider };
  const built = await buildGateway({ ...options, paths: resolveHome({ env }) });
  if (!built.ok) throw new Error(built.problems.join("\n"));
  const ending = new AbortController();
  const running = built.gateway.run(ending.signal);
  expect(built.gateway.problems).toEqual([]);
  const { text } = await built.gateway.app.loop.processDirect({
    sessionKey: "cli:direct",
    text: "are you there?",
  });
  ending.abort(new Error("over"));
  await running;
  return text;
}

describe("a home that is kept elsewhere", () => {
  it("is there whole after messages, tools, jobs, uploads, undo, /new and Dream", async () => {
    const { gateway, engine, copy, client } = await open(script, {
      config: { tools: { approval: "off" } },
    });
    const { home } = gateway;
    const kept = await createTemporaryFolder();
    const differing: unknown[] = [];
    engine.onCommitted = () => {
      // A crash right now would leave this.
      const tables = [readTables(copy), readTables(home)];
      if (!isDeepStrictEqual(...(tables as [unknown, unknown]))) differing.push(tables);
      if (engine.commits % 12 === 0) cpSync(copy, join(kept, String(engine.commits)), { recursive: true });
    };
    await say(client, "hello");
    await say(client, "write it");
    await say(client, "edit it");
    await say(client, "/undo");
    await say(client, "run it");
    const piece = { fileId: "0123456789abcdef", name: "a.txt", offset: 0, isLast: true };
    await client.ask("file.put", { ...piece, data: Buffer.from("a file").toString("base64") });
    await say(client, "look at this", [piece.fileId]);
    await client.ask("jobs.add", {
      name: "later",
      message: "later",
      schedule: { kind: "every", everyMs: 3_600_000 },
      misfire: "once",
      chat: { channel: "cli", chatId: "direct" },
    });
    await gateway.client.call("tokens.add", { name: "script", operations: ["chat.list"] });
    await say(client, "/new");
    await say(client, "/dream");
    await say(client, "and again");
    await client.close();
    await eventually(() => gateway.app.loop.activeTurns).toBe(0);
    // What goes on behind the turns, as archiving the closed conversation, writes and removes files until it is over.
    await eventually(async () => {
      await engine.commit();
      const [there, here] = [readKept(copy), readKept(home)];
      return [...new Set([...Object.keys(there), ...Object.keys(here)])].filter(
        (path) => there[path] !== here[path],
      );
    }).toEqual([]);
    expect(Object.keys(readKept(copy)).join()).toMatch(/made\/by-command\.txt/);
    expect(engine.commits).toBeGreaterThan(16);
    expect(differing).toEqual([]);
    for (const name of readdirSync(kept))
      expect(await answerFrom(join(kept, name)), name).toBe("Still here.");
  });
});

describe("a commit", () => {
  it("that is unavailable delays the answer, and nothing is lost or done twice", async () => {
    const { gateway, engine, client } = await open(script, {
      config: { tools: { approval: "off" } },
    });
    await say(client, "hello");
    engine.fault = "unavailable";
    await expect(client.ask("chat.send", { sessionKey, text: "not now" }, "request-1")).rejects.toThrow();
    expect(engine.refused).toBeGreaterThan(0);
    engine.fault = undefined;
    const { turnId } = await client.ask("chat.send", { sessionKey, text: "not now" }, "request-2");
    await client.waitFor(
      ({ event }) =>
        event.type === "shown" && event.shown.type === "settled" && event.shown.turnId === turnId,
    );
    const answered = gateway.provider.requests.length;
    await eventually(() => gateway.app.loop.activeTurns).toBe(0);
    expect(gateway.provider.requests).toHaveLength(answered);
  });

  it("that is lost ends the home's work: nothing more is begun, and the gateway stops on its own", async () => {
    const { gateway, engine, client } = await open(script);
    await say(client, "hello");
    engine.fault = "lost";
    await expect(client.ask("chat.send", { sessionKey, text: "too late" })).rejects.toThrow();
    await gateway.ended;
    expect(gateway.provider.requests).toHaveLength(1);
  });
});
