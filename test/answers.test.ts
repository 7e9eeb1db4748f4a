// Slash commands about the house and the conversation: /cron, /pairing, /usage, /model, /export, /restart.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { terminalOrigin } from "../src/agent/job.ts";
import { buildApp } from "../src/app/build-app.ts";
import type { Origin } from "../src/bus/types.ts";
import { phrase } from "../src/i18n/phrase.ts";
import { createWords, sayInEnglish } from "../src/i18n/words.ts";
import { systemClock } from "../src/lib/clock.ts";
import { resolveHome } from "../src/storage/home.ts";
import { PairingStore } from "../src/storage/people/pairing-store.ts";
import { anything, like, sentence, words } from "./support/english.ts";
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
    expect(listed).toMatch(/\*\*water\*\*.*\n.*\*\*tea\*\*/);
    expect(listed).toContain(words.schedule.waitsForGateway);
    expect(await say(app, "/cron", ann)).not.toContain("water");
    expect(listed).toMatch(/^1\. \*\*water\*\*: /m);
    expect(await say(app, "/cron remove water", ann)).toBe(sentence("jobs.not-found", { id: "water" }));
    expect(await say(app, "/cron pause 1")).toBe(words.schedule.isPaused("water"));
    expect(await say(app, "/cron list")).toMatch(like(`water${anything}; ${words.schedule.paused};`));
    expect(await say(app, "/cron resume Water")).toMatch(like(words.schedule.resumed(`**water${anything}`)));
    expect(await say(app, "/cron remove 1")).toBe(words.schedule.removed("water"));
    expect(await say(app, "/cron remove")).toBe(words.schedule.needsId("/cron remove"));
    expect(await say(app, "/cron jump")).toBe(words.schedule.unknownAction("jump"));
  });
});

describe("/pairing", () => {
  it("is the owner's, in private", async () => {
    const app = await createTestApp([]);
    const { approved, named, sender, guest, revoked } = words.pairing;
    const store = new PairingStore(join(app.home, "pairing.json"), systemClock);
    const { code } = (await store.request({ channel: "telegram", senderId: "8", name: "Bob" })) ?? {
      code: "",
    };
    expect(await say(app, "/pairing list", ann)).toBe(sentence("request.owner-only"));
    expect(await say(app, `/pairing approve ${code} owner`, ann)).toBe(sentence("request.owner-only"));
    expect(await say(app, "/pairing", group)).toBe(sentence("pairing.not-in-group"));
    expect(await say(app, "/pairing")).toContain(code);
    expect(await say(app, `/pairing approve ${code} bob`)).toBe(
      approved(named("Bob", sender("telegram", "8")), guest("bob")),
    );
    expect(await say(app, `/pairing approve ${code}`)).toBe(sentence("pairing.no-code", { code }));
    expect(await say(app, "/pairing revoke telegram 8")).toBe(revoked(sender("telegram", "8")));
    expect(await store.list()).toEqual([]);
  });
});

describe("/usage", () => {
  it("tells the owner everything, and a guest only what that guest has taken", async () => {
    const { money } = words;
    const usage = { input: 1_000, cached: 0, output: 234 };
    const app = await createTestApp({ steps: [{ text: "Yes.", usage }], loop: true });
    await say(app, "Hello");
    await say(app, "Hello", ann);
    await say(app, "Go on", { cause: "cron" });
    const owner = await say(app, "/usage");
    expect(owner).toContain(`${money.line(money.today, "3,702", 3)}\n${money.line(money.month, "3,702", 3)}`);
    expect(owner).toContain(`- ${money.line("cron", "1,234", 1)}\n- ${money.line("user", "2,468", 2)}`);
    expect(owner).toContain(`${money.limits}\n- ${money.limit(money.today, 0, money.tokens("20,000,000"))}`);
    const guest = await say(app, "/usage", ann);
    expect(guest).toContain(money.line(money.today, "1,234", 1));
    expect(guest).not.toContain(money.limits);
    expect(guest).not.toContain("cron");
    expect(await say(app, "/usage", group)).not.toContain("3,702");
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
    expect(await say(app, "/model")).toMatch(
      like(`${words.answers.model.current("m", anything)}\n\n${words.answers.model.known}\n- quick\n`),
    );
    expect(await say(app, "hi")).toBe("one");
    expect(await say(app, "/model quick")).toMatch(like(words.answers.model.chosen("q", anything)));
    expect(await say(app, "hi again")).toBe("two");
    expect(await say(app, "hi", { chatId: "elsewhere" })).toBe("one");
    expect(await say(app, "/status")).toMatch(like(words.reply.status.model("q", anything, anything)));
    const [request] = second.requests;
    expect(JSON.stringify(request)).toContain("hi again");
    await app.close();
    const again = await open();
    expect(await say(again, "hi once more")).toBe("two");
    expect(await say(again, "/model default")).toMatch(like(words.answers.model.isDefault("m", anything)));
    expect(await say(again, "hi")).toBe("one");
    await again.close();
  });

  it("takes a model by its name, and says why it cannot use one", async () => {
    const { open } = await openWithModels();
    const app = await open();
    expect(await say(app, "/model other/any")).toMatch(like(words.answers.model.chosen("any", anything)));
    expect(await say(app, "hi")).toBe("two");
    expect(await say(app, "/model anthropic/claude-opus-4-5")).toMatch(/key/i);
    expect(await say(app, "hi")).toBe("two");
    expect(await say(app, "/model quick", ann)).toBe(sentence("request.owner-only"));
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
      onEvent: (body) => body.type === "notice" && notices.push(body.notice.reason.code),
    });
    expect(outcome.text).toBe("one");
    expect(notices).toEqual(["model.gone"]);
    expect(await say(again, "/new")).toBe(words.reply.newSession);
    await again.close();
  });
});

describe("/export", () => {
  it("writes the conversation into the folder of the person who asks", async () => {
    const look = { toolCalls: [{ name: "list_dir", arguments: { path: "." } }] };
    const app = await createTestApp([look, "There are files.", "你好。"]);
    expect(await say(app, "/export")).toBe(sentence("chat.nothing-to-export"));
    await say(app, "What is here?");
    const { done, you, assistant, tool, calls } = words.answers.export;
    const answer = await say(app, "/export");
    const path = like(done(4, anything)).exec(answer)?.[1] ?? "";
    const text = await readFile(join(app.workspace, path), "utf8");
    expect(text).toMatch(
      like(`# What is here?\n\n## ${you} · ${anything}\n\nWhat is here?\n\n## ${assistant}`),
    );
    expect(text).toContain(`*${calls("list_dir")}*`);
    expect(text).toContain(`### ${tool("list_dir")}`);
    expect(text).toMatch(/\n> [\s\S]*There are files\.\n$/);
    expect(text).not.toContain("Runtime Context");
    await say(app, "Hello", ann);
    expect(await say(app, "/export", ann)).toMatch(like(done(2, anything)));
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
    expect(await say(gateway.app, "/restart")).toBe(words.answers.restart.begins);
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
    expect(await say(app, "/usge")).toBe(words.reply.unknownCommand("/usge", "/usage"));
    expect(await say(app, "/cron@nano_bot")).toBe(words.schedule.none);
  });
});
