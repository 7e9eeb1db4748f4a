// Slash commands about the house and the conversation: /cron, /pairing, /usage, /model, /export, /restart.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { terminalOrigin } from "../src/agent/direct.ts";
import { buildApp } from "../src/app/build-app.ts";
import type { Origin } from "../src/bus/types.ts";
import { PairingStore } from "../src/channels/pairing-store.ts";
import { resolveHome } from "../src/config/home.ts";
import { phrase } from "../src/i18n/phrase.ts";
import { createWords, sayInEnglish } from "../src/i18n/words.ts";
import { systemClock } from "../src/lib/clock.ts";
import { startFakeModel } from "./support/fake-model.ts";
import { sentenceOf } from "./support/sentence-of.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";
import { closeTestGateways, createTestGateway } from "./support/test-gateway.ts";

afterEach(closeTestApps);
afterEach(closeTestGateways);

const ann: Partial<Origin> = { person: "ann", role: "guest", channel: "telegram", chatId: "7" };
const group: Partial<Origin> = { group: "telegram--1", channel: "telegram", chatId: "-1" };

async function say(app: Pick<TestApp, "loop">, text: string, origin: Partial<Origin> = {}): Promise<string> {
  const { channel, chatId } = { ...terminalOrigin, ...origin };
  const outcome = await app.loop.processDirect({
    sessionKey: `${channel}:${chatId}`,
    text,
    origin: { ...terminalOrigin, ...origin },
  });
  return sentenceOf(outcome.error) ?? outcome.text;
}

const plan = (message: string) => ({
  toolCalls: [{ name: "cron", arguments: { action: "add", message, cron_expr: "0 9 * * *" } }],
});

describe("/cron", () => {
  it("shows what is planned to whom it concerns, and changes it", async () => {
    const app = await createTestApp([plan("water"), "Yes.", plan("tea"), "Yes."]);
    await say(app, "Remind me of the water");
    await say(app, "Remind me of tea", ann);
    const listed = await say(app, "/cron");
    expect(listed).toMatch(/\*\*water\*\*.*next in .*\n.*\*\*tea\*\*/);
    expect(listed).toContain("nanobot gateway");
    expect(await say(app, "/cron", ann)).not.toContain("water");
    const id = /water\*\* \(`(\w+)`\)/.exec(listed)?.[1];
    expect(await say(app, `/cron remove ${id}`, ann)).toMatch(/^There is no job/);
    expect(await say(app, `/cron pause ${id}`)).toBe("water rests until it is resumed.");
    expect(await say(app, "/cron list")).toMatch(/water.*; paused;/);
    expect(await say(app, `/cron resume ${id}`)).toMatch(/^Goes on: \*\*water/);
    expect(await say(app, `/cron remove ${id}`)).toBe("Removed: water");
    expect(await say(app, "/cron remove")).toBe("Which job? /cron remove <id>");
    expect(await say(app, "/cron jump")).toMatch(/I do not know "jump"/);
  });
});

describe("/pairing", () => {
  it("is the owner's, in private", async () => {
    const app = await createTestApp([]);
    const store = new PairingStore(join(app.home, "pairing.json"), systemClock);
    const { code } = (await store.request({ channel: "telegram", senderId: "8", name: "Bob" })) ?? {
      code: "",
    };
    expect(await say(app, "/pairing list", ann)).toMatch(/Only the owner/);
    expect(await say(app, `/pairing approve ${code} owner`, ann)).toMatch(/Only the owner/);
    expect(await say(app, "/pairing", group)).toMatch(/in private/);
    expect(await say(app, "/pairing")).toContain(code);
    expect(await say(app, `/pairing approve ${code} bob`)).toBe(
      "Admitted: Bob (telegram 8), as guest `bob`.",
    );
    expect(await say(app, `/pairing approve ${code}`)).toMatch(/no request with the code/);
    expect(await say(app, "/pairing revoke telegram 8")).toBe("telegram 8 is not admitted any more.");
    expect(await store.list()).toEqual([]);
  });
});

describe("/usage", () => {
  it("tells the owner everything, and a guest only what that guest has taken", async () => {
    const usage = { input: 1_000, cached: 0, output: 234 };
    const app = await createTestApp({ steps: [{ text: "Yes.", usage }], loop: true });
    await say(app, "Hello");
    await say(app, "Hello", ann);
    await say(app, "Go on", { cause: "cron" });
    const owner = await say(app, "/usage");
    expect(owner).toMatch(/^Today: 3,702 tokens, 3 calls\nThis month: 3,702 tokens/);
    expect(owner).toMatch(/- cron: 1,234 tokens, 1 call\n- user: 2,468 tokens/);
    expect(owner).toMatch(/Limits:\n- Today: 0% of 20,000,000 tokens/);
    const guest = await say(app, "/usage", ann);
    expect(guest).toMatch(/^Today: 1,234 tokens, 1 call/);
    expect(guest).not.toMatch(/Limits|cron/);
    expect(await say(app, "/usage", group)).not.toMatch(/3,702|Limits/);
  });
});

describe("/model", () => {
  async function openWithModels() {
    const [first, second] = [
      await startFakeModel(() => ({ text: "one" })),
      await startFakeModel(() => ({ text: "two" })),
    ];
    const home = await createTemporaryFolder();
    const write = (modelPresets: object) =>
      writeFile(
        join(home, "config.json"),
        JSON.stringify({
          agents: { defaults: { model: "mine/m" } },
          providers: {
            mine: { apiBase: first.url, apiKey: "k" },
            other: { apiBase: second.url, apiKey: "k" },
          },
          modelPresets,
          memory: { autoRecall: false },
        }),
      );
    await write({ quick: { model: "other/q", contextWindowTokens: 50_000 } });
    const env = { HOME: home, NANOBOT_HOME: home, PATH: process.env.PATH };
    const open = async () => {
      const built = await buildApp({ paths: resolveHome({ env }), env, words: createWords("english") });
      if (!built.ok) throw new Error(built.problems.join("\n"));
      return built.app;
    };
    return { open, write, first, second };
  }

  it("chooses another model for this conversation alone, which a restart keeps", async () => {
    const { open, second } = await openWithModels();
    const app = await open();
    expect(await say(app, "/model")).toMatch(/^This conversation uses m at .*\n\nYou can choose:\n- quick\n/);
    expect(await say(app, "hi")).toBe("one");
    expect(await say(app, "/model quick")).toMatch(/^From the next message on this conversation uses q at/);
    expect(await say(app, "hi again")).toBe("two");
    expect(await say(app, "hi", { chatId: "elsewhere" })).toBe("one");
    expect(await say(app, "/status")).toMatch(/Model: q at/);
    const [request] = second.requests;
    expect(JSON.stringify(request)).toContain("hi again");
    await app.close();
    const again = await open();
    expect(await say(again, "hi once more")).toBe("two");
    expect(await say(again, "/model default")).toMatch(/the usual model again: m at/);
    expect(await say(again, "hi")).toBe("one");
    await again.close();
  });

  it("takes a model by its name, and says why it cannot use one", async () => {
    const { open } = await openWithModels();
    const app = await open();
    expect(await say(app, "/model other/any")).toMatch(/uses any at/);
    expect(await say(app, "hi")).toBe("two");
    expect(await say(app, "/model anthropic/claude-opus-4-5")).toMatch(/key/i);
    expect(await say(app, "hi")).toBe("two");
    expect(await say(app, "/model quick", ann)).toBe("Only the owner can do this.");
    await app.close();
  });

  it("goes on with the usual one when the chosen one is gone, and says so", async () => {
    const { open, write } = await openWithModels();
    const app = await open();
    await say(app, "/model quick");
    await app.close();
    await write({});
    const again = await open();
    const notices: string[] = [];
    const outcome = await again.loop.processDirect({
      sessionKey: "cli:direct",
      text: "hi",
      onEvent: (body) => body.type === "notice" && notices.push(sayInEnglish(body.notice.reason)),
    });
    expect(outcome.text).toBe("one");
    expect(notices).toEqual([expect.stringMatching(/"quick" .* cannot be used: .*\/model default/)]);
    expect(await say(again, "/new")).toBe("A new conversation begins.");
    await again.close();
  });
});

describe("/export", () => {
  it("writes the conversation into the folder of whoever asks", async () => {
    const look = { toolCalls: [{ name: "list_dir", arguments: { path: "." } }] };
    const app = await createTestApp([look, "There are files.", "你好。"]);
    expect(await say(app, "/export")).toBe("There is nothing to export yet.");
    await say(app, "What is here?");
    const answer = await say(app, "/export");
    const path = /^4 messages are in (exports\/cli-direct-.*\.md)$/.exec(answer)?.[1] ?? "";
    const text = await readFile(join(app.workspace, path), "utf8");
    expect(text).toMatch(/^# Conversation cli:direct\n\n## You · [^\n]+\n\nWhat is here\?\n\n## Assistant/);
    expect(text).toMatch(
      /\*\(uses list_dir\)\*[\s\S]*### Tool list_dir[\s\S]*\n> [\s\S]*There are files\.\n$/,
    );
    expect(text).not.toContain("Runtime Context");
    await say(app, "Hello", ann);
    expect(await say(app, "/export", ann)).toMatch(/^2 messages/);
    expect(await readdir(join(app.workspace, "people", "ann", "exports"))).toHaveLength(1);
  });
});

describe("/restart", () => {
  it("acts only where a gateway can, and only for the owner", async () => {
    const app = await createTestApp([]);
    expect(await say(app, "/restart")).toBe(sayInEnglish(phrase("gateway.not-running")));
    const asked: string[] = [];
    const gateway = await createTestGateway([], { onRestart: () => void asked.push("now") });
    expect(await say(gateway.app, "/restart", ann)).toBe(sayInEnglish(phrase("request.owner-only")));
    expect(await say(gateway.app, "/restart")).toBe(createWords("english").answers.restart.begins);
    expect(asked).toEqual(["now"]);
    const note = await readFile(join(gateway.home, "run", "restart.json"), "utf8");
    expect(JSON.parse(note)).toMatchObject({ channel: "cli" });
    const fixed = await createTestGateway([]);
    expect(await say(fixed.app, "/restart")).toBe(sayInEnglish(phrase("gateway.cannot-restart")));
  });
});

describe("what only looks like a command", () => {
  it.each(["/home/ann/notes.md", "/etc/hosts is what?", "/ hm", "//", "/1"])(
    "%j goes to the model",
    async (text) => {
      const app = await createTestApp(["A path."]);
      expect(await say(app, text)).toBe("A path.");
    },
  );

  it("is told the nearest one", async () => {
    const app = await createTestApp([]);
    expect(await say(app, "/usge")).toBe('There is no command "/usge". Did you mean "/usage"?');
    expect(await say(app, "/cron@nano_bot")).toBe("No jobs are planned.");
  });
});
