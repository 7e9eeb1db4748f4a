// Approval end to end: a question on the surface of the turn, its answers, trust for a while, and where nobody is asked.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { type Approval, toApprovalChoices } from "../src/bus/ask.ts";
import type { LiveBody } from "../src/bus/live.ts";
import type { Origin } from "../src/bus/types.ts";
import { phrase } from "../src/i18n/phrase.ts";
import { createWords, say as sayPhrase } from "../src/i18n/words.ts";
import type { CodeScript } from "../src/llm/scripted.ts";
import { defineTool } from "../src/runner/define-tool.ts";
import type { Tool } from "../src/runner/tool.ts";
import { anything, like, sentence, words } from "./support/english.ts";
import { createFakeChannel, type FakeChannel } from "./support/fake-channel.ts";
import { createFakeClock, type FakeClock } from "./support/fake-clock.ts";
import { closeTestApps, createTestApp, type TestApp, type TestAppOptions } from "./support/test-app.ts";

afterEach(closeTestApps);

const ran: string[] = [];
afterEach(() => ran.splice(0));

/** Would remove folders outside of the sandbox, which is always asked about; here it only remembers that it was let through. */
const clean = defineTool({
  name: "clean",
  description: "Cleans.",
  parameters: z.object({ to: z.string() }),
  effects: ({ to }) => [{ type: "run", command: `rm -r ${to}`, outside: true }],
  async execute({ to }) {
    ran.push(to);
    return { content: "cleaned" };
  },
}) as Tool;

const call = (to = "site-a") => ({ toolCalls: [{ name: "clean", arguments: { to } }] });

interface Talk {
  app: TestApp;
  channel: FakeChannel;
  clock: FakeClock;
  /** The next answer to what is said, whatever was asked in between. */
  hear(text: string, origin?: Partial<Origin>): Promise<string>;
  asked: Approval[];
}

/** `answers` are typed one by one when something is asked. */
async function talk(
  script: CodeScript,
  answers: string[] = [],
  options: TestAppOptions & { config?: unknown } = {},
) {
  const clock = createFakeClock();
  const app = await createTestApp(script, { canAsk: () => true, tools: [clean], clock, ...options });
  return converse(app, clock, answers);
}

async function converse(app: TestApp, clock: FakeClock, answers: string[]): Promise<Talk> {
  const channel = createFakeChannel("fake");
  const asked: Approval[] = [];
  void app.loop.run(new AbortController().signal);
  void channel.serve(app.bus, new AbortController().signal);
  channel.onLive(({ body, chatId }) => {
    if (body.type !== "ask-start") return;
    if (body.question.kind === "approval") asked.push(body.question);
    const answer = answers.shift();
    if (answer !== undefined) void channel.say(answer, { chatId });
  });
  const hear = async (text: string, origin: Partial<Origin> = {}) => {
    await channel.say(text, { origin });
    return (await channel.nextPart()).text;
  };
  return { app, channel, clock, hear, asked };
}

function lastResult({ provider }: TestApp): string {
  return String(provider.requests.at(-1)?.messages.at(-1)?.content);
}

describe("a question", () => {
  it("is shown where the turn is, with the command, the reason, the risk, and answered there", async () => {
    const { hear, asked } = await talk([call(), "done"], ["yes"]);
    expect(await hear("clean up")).toBe("done");
    expect(ran).toEqual(["site-a"]);
    expect(asked).toMatchObject([
      {
        detail: "rm -r site-a",
        risk: { code: "approval.risk-outside" },
        choices: toApprovalChoices({ session: true, always: true }),
      },
    ]);
    expect(asked[0]?.reasons).not.toEqual([]);
  });

  it("holds nothing that a chat app could obey", async () => {
    const { hear, asked } = await talk([call("\u202esite-a\u001b[2J\u200b"), "done"], ["no"]);
    await hear("clean up");
    expect(asked[0]?.detail).toBe("rm -r <U+202E>site-a␛[2J<U+200B>");
    expect(JSON.stringify([asked[0]?.phrase, asked[0]?.reasons])).not.toMatch(/\u202e|\u200b|\\u001b/);
  });

  it("that nobody answers is a no after ten minutes, and the model is told so", async () => {
    const { app, channel, clock, asked } = await talk([call(), "I could not."]);
    const seen: LiveBody[] = [];
    channel.onLive(({ body }) => seen.push(body));
    await channel.say("clean up");
    const part = channel.nextPart();
    await expect.poll(() => asked.length).toBe(1);
    await clock.advance(10 * 60_000);
    expect((await part).text).toBe("I could not.");
    expect(ran).toEqual([]);
    expect(lastResult(app)).toMatch(/Not allowed: nobody answered within 10 minutes\./);
    expect(seen.find(({ type }) => type === "ask-end")).toMatchObject({
      chosen: { code: "approval.refuse" },
    });
  });

  it("is refused by anything else that the owner says, which is the reason and part of the turn", async () => {
    const { app, hear, channel, asked } = await talk(
      [call(), "Moved.", "Hello."],
      ["Move it to old/ instead"],
    );
    expect(await hear("clean up")).toBe("Moved.");
    expect([asked.length, ran]).toEqual([1, []]);
    const [result, message] = app.provider.requests.at(-1)?.messages.slice(-2) ?? [];
    expect(result?.content).toBe("Not allowed: the owner said no, and: Move it to old/ instead");
    expect(JSON.stringify(message)).toContain("Move it to old/ instead");
    expect(await hear("hello")).toBe("Hello.");
    expect(channel.seen.filter(({ body }) => body.type === "turn-start")).toHaveLength(2);
  });

  it("stays open while a command is given", async () => {
    const { app, hear, channel, asked } = await talk([call(), "done"]);
    await channel.say("clean up");
    await expect.poll(() => asked.length).toBe(1);
    expect(await hear("/help")).toContain("/status");
    expect(await hear("y")).toBe("done");
    expect([app.provider.requests.length, ran]).toEqual([2, ["site-a"]]);
  });

  it("of a guest's turn in a group is refused with the owner's words, which are a turn of the owner's", async () => {
    const { app, channel, asked } = await talk([call(), "I may not.", "Hello."]);
    await channel.say("clean up", { origin: { role: "guest", person: "li", group: "family" } });
    await expect.poll(() => asked.length).toBe(1);
    await channel.say("leave that alone", { origin: { group: "family" } });
    expect((await channel.nextPart()).text).toBe("I may not.");
    expect((await channel.nextPart()).text).toBe("Hello.");
    const results = app.provider.requests[1]?.messages.at(-1);
    expect(results?.content).toBe("Not allowed: the owner said no, and: leave that alone");
  });
});

describe("nobody is asked", () => {
  it.each([
    ["a schedule", { cause: "cron" as const }],
    ["a heartbeat", { cause: "heartbeat" as const }],
    ["a guest in private", { role: "guest" as const, person: "li" }],
  ])("in a turn of %s: it is a no, and the model is told so", async (_, origin) => {
    const { app, hear, asked } = await talk([call(), "no"]);
    await hear("clean up", origin);
    expect([asked, ran]).toEqual([[], []]);
    expect(lastResult(app)).toMatch(/Not allowed: nobody is there to be asked\. Do not try the same/);
  });

  it("of a script; unless the config allows it", async () => {
    const app = await createTestApp([call(), "no"], { tools: [clean] });
    await app.loop.processDirect({ sessionKey: "cli:direct", text: "clean up" });
    expect(lastResult(app)).toMatch(/nobody is there to be asked/);
    const config = { tools: { approval: "off" } };
    const open = await createTestApp([call(), "done"], { tools: [clean], config });
    await open.loop.processDirect({ sessionKey: "cli:direct", text: "clean up" });
    expect(ran).toEqual(["site-a"]);
  });

  it("but the owner, when a guest in a group wants something", async () => {
    const { channel, asked } = await talk([call(), "done"]);
    const li = { role: "guest" as const, person: "li", group: "family" };
    await channel.say("clean up", { origin: li });
    await expect.poll(() => asked.length).toBe(1);
    await channel.say("yes", { origin: li });
    await channel.say("yes", { origin: { group: "family" } });
    expect((await channel.nextPart()).text).toBe("done");
    expect(ran).toEqual(["site-a"]);
    expect(asked[0]?.choices).toEqual(toApprovalChoices({ session: true }));
  });
});

describe("a yes for ever", () => {
  it("holds in other conversations and after a restart, until it is taken back", async () => {
    const first = await talk([call(), "done"], ["always"]);
    await first.hear("clean up");
    const path = join(first.app.home, "approvals.json");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({
      allowed: [{ subject: expect.stringContaining("rm -r site-a") }],
    });

    const app = await first.app.restart([call(), "done", call("site-b"), "no", call(), "no"]);
    const { hear, asked } = await converse(app, first.clock, ["no", "no"]);
    await hear("again", { chatId: "other" });
    expect([asked.length, ran.length]).toEqual([0, 2]);
    await hear("elsewhere");
    expect([asked.length, ran.length]).toEqual([1, 2]);

    expect(await hear("/untrust")).toContain(`${words.trust.rememberedHead}\n1. \`rm -r site-a`);
    expect(await hear("/untrust 2")).toContain(sentence("trust.no-such-number", { number: "2" }));
    expect(await hear("/untrust 1")).toMatch(like(words.trust.forgotten(`rm${anything}`)));
    expect(await hear("/untrust")).toContain(words.trust.nothingRemembered);
    await hear("again");
    expect([asked.length, ran.length]).toEqual([2, 2]);
  });
});

describe("/trust", () => {
  it("does without questions for a while, survives a restart, shows in /status, and ends on its own", async () => {
    const first = await talk([call(), "done"]);
    expect(await first.hear("/trust 30")).toMatch(like(words.trust.given(`2026-08-01 ${anything}:30`)));
    expect(await first.hear("clean up")).toBe("done");
    expect(await first.hear("/status")).toMatch(like(words.trust.until(`2026-08-01 ${anything}:30`)));

    const app = await first.app.restart([call(), "done", call(), "no"]);
    const { hear, asked, clock } = await converse(app, first.clock, ["no"]);
    expect(await hear("again")).toBe("done");
    expect([asked.length, ran.length]).toEqual([0, 2]);
    await clock.advance(30 * 60_000);
    expect(await hear("/status")).not.toMatch(like(words.trust.until(anything)));
    expect(await hear("and again")).toBe("no");
    expect([asked.length, ran.length]).toEqual([1, 2]);
  });

  it("is for this conversation only, ends with /untrust and with /new", async () => {
    const { hear, asked, channel } = await talk(
      [call(), "no", call(), "no", call(), "no"],
      ["no", "no", "no"],
    );
    await hear("/trust");
    await channel.say("clean up", { chatId: "other" });
    await channel.nextPart();
    expect(asked).toHaveLength(1);
    expect(await hear("/untrust")).toContain(words.trust.ended);
    expect(await hear("/untrust")).toContain(words.trust.notGiven);
    await hear("clean up");
    expect(asked).toHaveLength(2);
    await hear("/trust");
    await hear("/new");
    await hear("clean up");
    expect([asked.length, ran.length]).toEqual([3, 0]);
  });

  it("takes a word for the name of a skill", async () => {
    const { hear } = await talk([]);
    expect(await hear("/trust soon")).toContain(sentence("skills.not-found", { name: "soon" }));
    expect(await hear("/status")).not.toMatch(like(words.trust.until(anything)));
  });

  it.each(["0", "-5", "1441", "1.5"])("does not take %j for a number of minutes", async (text) => {
    const { hear } = await talk([]);
    expect(await hear(`/trust ${text}`)).toContain(sentence("trust.minutes", { most: 1440 }));
    expect(await hear("/status")).not.toMatch(like(words.trust.until(anything)));
  });

  it("is nothing that a guest can give, take back or profit from", async () => {
    const { hear, asked } = await talk([call(), "no"]);
    const li = { role: "guest" as const, person: "li" };
    const ownerOnly = sayPhrase(phrase("request.owner-only"), createWords("english"));
    expect(await hear("/trust", li)).toBe(ownerOnly);
    expect(await hear("/untrust", li)).toBe(ownerOnly);
    expect(await hear("/status")).not.toMatch(like(words.trust.until(anything)));
    await hear("/trust");
    await hear("clean up", li);
    expect([asked.length, ran.length]).toEqual([0, 0]);
  });
});
