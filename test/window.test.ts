// What a window holds: a single turn that outgrows it, hosts that count otherwise than we do, messages too long for it.
import { existsSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { estimateJsonTokens } from "../src/lib/tokens.ts";
import type { CodeStep } from "../src/llm/scripted.ts";
import type { ModelRequest } from "../src/llm/types.ts";
import { estimateMessageTokens, inputBudget } from "../src/memory/fit.ts";
import { defineTool } from "../src/runner/define-tool.ts";
import { createFakeChannel } from "./support/fake-channel.ts";
import { callHeldTool, createHeldTool, untilReached } from "./support/held-tool.ts";
import { findIllegalities } from "./support/legal-history.ts";
import { sampled } from "./support/long-form.ts";
import { terminalOrigin } from "./support/origins.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

const say = (app: TestApp, text: string) => app.loop.processDirect({ sessionKey: "cli:direct", text });
const read = (path: string): CodeStep => ({ toolCalls: [{ name: "read_file", arguments: { path } }] });
const isArchiving = ({ messages }: ModelRequest) =>
  /will be left out from now on/.test(String(messages.at(-1)?.content));

function windowOf(contextWindowTokens: number, maxTokens: number) {
  return { agents: { defaults: { contextWindowTokens, maxTokens } } };
}

function measure({ messages, tools }: ModelRequest): number {
  return messages.reduce((sum, message) => sum + estimateMessageTokens(message), estimateJsonTokens(tools));
}

function resultsIn(request: Pick<ModelRequest, "messages"> | undefined): string[] {
  const results = request?.messages.filter(({ role }) => role === "tool") ?? [];
  return results.map(({ content }) => String(content));
}

async function writeFiles(app: TestApp, names: readonly string[], words: number): Promise<void> {
  for (const name of names) await writeFile(join(app.workspace, name), `${name} ${"lorem ".repeat(words)}`);
}

describe("a turn that grows beyond the window", () => {
  const names = ["a.md", "b.md", "c.md", "d.md", "e.md"];
  const config = windowOf(16_000, 1_000);
  const budget = inputBudget({ contextWindow: 16_000, maxTokens: 1_000 });

  it("leaves out its oldest results before the model is asked, once, and replays the same", async () => {
    const app = await createTestApp([...names.map(read), "Done.", "Thanks."], { config });
    await writeFiles(app, names, 2_400);
    expect(await say(app, "Read them all")).toMatchObject({ stop: "completed", text: "Done." });
    const [, , , , , sixth] = app.provider.requests;
    for (const request of app.provider.requests) expect(measure(request)).toBeLessThanOrEqual(budget);
    const isLeftOut = resultsIn(sixth).map((text) => text.startsWith("[This result was left out"));
    expect(isLeftOut).toEqual([true, true, true, false, false]);
    expect(findIllegalities(sixth?.messages.slice(1) ?? [])).toEqual([]);
    await say(app, "Thank you");
    const next = app.provider.requests.at(-1);
    expect(next?.messages.slice(0, sixth?.messages.length)).toEqual(sixth?.messages);
  });

  it("replays the same in another process, and shows it before it is sent", async () => {
    const app = await createTestApp([...names.map(read), "Done."], { config });
    await writeFiles(app, names, 2_500);
    await say(app, "Read them all");
    const last = resultsIn(app.provider.requests.at(-1));
    await app.close();
    const later = await app.restart(["Thanks."]);
    const { request, diff } = await later.loop.inspect({ sessionKey: "cli:direct", text: "Thank you" });
    expect(diff.break).toBeUndefined();
    await say(later, "Thank you");
    expect(resultsIn(later.provider.requests[0])).toEqual(last);
    expect(resultsIn(request)).toEqual(last);
  });

  it("does so once more when the host refuses it all the same, and then says that it is too long", async () => {
    const overflow: CodeStep = { error: { kind: "context-overflow", message: "too long" } };
    const app = await createTestApp([...names.map(read), overflow, overflow, "never"], { config });
    await writeFiles(app, names, 2_500);
    expect(await say(app, "Read them all")).toMatchObject({ stop: "error" });
    const [before, after] = app.provider.requests.slice(-2);
    expect(app.provider.requests).toHaveLength(7);
    if (before === undefined || after === undefined) throw new Error("there are two");
    expect(measure(after)).toBeLessThan(0.7 * measure(before));
  });

  it("keeps what the model has just asked for, also where the window is tiny", async () => {
    const app = await createTestApp([read("a.md"), read("b.md"), "Done."], { config: windowOf(4_096, 512) });
    await writeFiles(app, ["a.md", "b.md"], 1_200);
    expect(await say(app, "Read both")).toMatchObject({ text: "Done." });
    const [first = "", second = ""] = resultsIn(app.provider.requests[2]);
    expect(first).toMatch(/^\[This result was left out/);
    expect(second).toContain("b.md lorem");
  });

  it("keeps the place where a result of its is that was too long to be shown", async () => {
    const count = defineTool({
      name: "count",
      description: "Counts far.",
      parameters: z.object({}),
      execute: async () => ({ content: Array.from({ length: 20_000 }, (_, n) => n).join("\n") }),
    });
    const counting = { toolCalls: [{ name: "count", arguments: {} }] };
    const app = await createTestApp([counting, ...names.map(read), "Done."], { config, tools: [count] });
    await writeFiles(app, names, 2_500);
    await say(app, "Count and read");
    const [counted = ""] = resultsIn(app.provider.requests.at(-1));
    expect(counted).toMatch(/^\[This result was left out[^\n]*\n[^\n]*All of it is in \//);
  });
});

describe("a host that counts otherwise than we do", () => {
  const long = "word ".repeat(1_000);
  const config = windowOf(20_000, 1_000);
  const budget = inputBudget({ contextWindow: 20_000, maxTokens: 1_000 });
  /** Says how many tokens a request had, by its own measure. */
  const counting =
    (factor: number): CodeStep =>
    (request) => {
      const usage = { input: Math.round(measure(request) * factor), cached: 0, output: 1 };
      return { text: isArchiving(request) ? "- they talked" : "ok", usage };
    };
  const turns = ({ provider }: TestApp) => provider.requests.filter((request) => !isArchiving(request));

  it("is believed: what would be too long for it is archived in time", async () => {
    const app = await createTestApp({ steps: [counting(1.8)], loop: true }, { config });
    for (let turn = 0; turn < 16; turn++) await say(app, `Question ${turn}: ${long}`);
    for (const request of turns(app)) expect(1.8 * measure(request)).toBeLessThanOrEqual(1.01 * budget);
    expect(app.provider.requests.some(isArchiving)).toBe(true);
  });

  it("and that counts less gets more", async () => {
    const app = await createTestApp({ steps: [counting(0.8)], loop: true }, { config });
    for (let turn = 0; turn < 18; turn++) await say(app, `Question ${turn}: ${long}`);
    const largest = Math.max(...turns(app).map(measure));
    expect(largest).toBeGreaterThan(1.1 * budget);
    expect(0.8 * largest).toBeLessThanOrEqual(1.01 * budget);
  });

  it("is believed within the turn in which it counts", async () => {
    const names = ["a.md", "b.md", "c.md", "d.md", "e.md"];
    const step: CodeStep = (request) => {
      const usage = { input: Math.round(measure(request) * 1.8), cached: 0, output: 1 };
      const path = names[resultsIn(request).length];
      return path === undefined
        ? "Done."
        : { toolCalls: [{ name: "read_file", arguments: { path } }], usage };
    };
    const app = await createTestApp({ steps: [step], loop: true }, { config });
    await writeFiles(app, names, 1_500);
    expect(await say(app, "Read them all")).toMatchObject({ text: "Done." });
    expect(app.provider.requests).toHaveLength(6);
    for (const request of app.provider.requests) expect(1.8 * measure(request)).toBeLessThanOrEqual(budget);
  });

  it("is believed within bounds, and no longer when another model answers", async () => {
    const app = await createTestApp({ steps: [counting(9)], loop: true }, { config });
    const inspect = (one: TestApp) => one.loop.inspect({ sessionKey: "cli:direct" });
    await say(app, "Hello");
    expect((await inspect(app)).correction).toBe(2);
    await app.close();
    const other = { agents: { defaults: { ...config.agents.defaults, model: "other" } } };
    await writeFile(join(app.home, "config.json"), JSON.stringify(other));
    expect((await inspect(await app.restart(["ok"]))).correction).toBe(1);
  });

  it("and that fails to count is estimated as before", async () => {
    const app = await createTestApp([counting(1.5), "no count", { error: { kind: "server" } }], { config });
    await say(app, "Hello");
    await say(app, "Again");
    await say(app, "And again");
    const { correction } = await app.loop.inspect({ sessionKey: "cli:direct" });
    expect(correction).toBeCloseTo(1.5, 1);
  });
});

describe("a message too long for the window", () => {
  const config = windowOf(4_096, 512);
  const budget = inputBudget({ contextWindow: 4_096, maxTokens: 512 });
  const english = `${"The quick brown fox jumps over the lazy dog.\n".repeat(23_000)}The password is zanzibar.\n${"All work and no play.\n".repeat(46_000)}`;
  const chinese = `${"今天天气很好，我们去公园散步。".repeat(sampled(15_000, 45_000))}密码是桑给巴尔。${"明天再说。".repeat(5_000)}`;
  const contentOf = (app: TestApp) => String(app.provider.requests.at(-1)?.messages.at(-1)?.content);

  it.each([
    ["English", english, "zanzibar"],
    ["Chinese", chinese, "桑给巴尔"],
  ])("becomes a file of that person's, of which the model sees the ends: %s", async (_, text, secret) => {
    expect(Buffer.byteLength(text)).toBeGreaterThan(sampled(700_000, 2_000_000));
    const app = await createTestApp(["Read.", "Again."], { config });
    expect(await say(app, text)).toMatchObject({ stop: "completed", text: "Read." });
    const [request] = app.provider.requests;
    if (request === undefined) throw new Error("nothing was sent");
    expect(measure(request)).toBeLessThanOrEqual(budget);
    const sent = contentOf(app);
    expect(sent.startsWith(text.slice(0, 30))).toBe(true);
    expect(sent).toContain(`${text.length} characters`);
    expect(sent).not.toContain(secret);
    const [, path = ""] = /All of it is in (attachments\/[0-9a-f]{32}\.txt)/.exec(sent) ?? [];
    expect(await readFile(join(app.workspace, path), "utf8")).toBe(text);
    expect((await stat(join(app.workspace, path))).mode & 0o777).toBe(0o600);
    await say(app, "And?");
    expect(app.provider.requests[1]?.messages.slice(0, 2)).toEqual(request.messages);
    const { hits } = await app.recall.search({ query: secret, scope: "owner" });
    expect(hits[0]?.text).toContain(secret);
  });

  it("can be read on by the model, and is found by nobody else", async () => {
    const paths: string[] = [];
    const app = await createTestApp(
      [
        (request) => {
          const content = String(request.messages.at(-1)?.content);
          paths.push(/attachments\/\S+\.txt/.exec(content)?.[0] ?? "");
          return {
            toolCalls: [{ name: "read_file", arguments: { path: paths[0], offset: 23_001, limit: 1 } }],
          };
        },
        "Done.",
      ],
      { config },
    );
    const origin = { ...terminalOrigin, role: "guest" as const, person: "ada" };
    await app.loop.processDirect({ sessionKey: "telegram:1", text: english, origin });
    expect(resultsIn(app.provider.requests[1])[0]).toContain("The password is zanzibar.");
    const find = (scope: string) => app.recall.search({ query: "zanzibar password", scope });
    expect((await find("person:ada")).hits[0]?.text).toContain("zanzibar");
    for (const other of ["owner", "person:bob", "group:ada"]) expect((await find(other)).hits).toEqual([]);
  });

  it("is only looked at before it is sent", async () => {
    const app = await createTestApp(["ok"], { config });
    const { request } = await app.loop.inspect({ sessionKey: "cli:direct", text: english });
    expect(String(request.messages.at(-1)?.content)).toContain("All of it is in attachments/");
    expect(existsSync(join(app.workspace, "attachments"))).toBe(false);
  });

  it("is bounded too when it joins a running turn", async () => {
    const channel = createFakeChannel("fake");
    const work = createHeldTool();
    const app = await createTestApp([callHeldTool, "Both read."], { config, tools: [work.tool] });
    const abort = new AbortController();
    void app.loop.run(abort.signal);
    void channel.serve(app.bus, abort.signal);
    await channel.say("Look around");
    await work.begun;
    await channel.say(english);
    await untilReached(channel);
    work.end();
    expect((await channel.nextPart()).text).toBe("Both read.");
    expect(contentOf(app)).toContain("All of it is in attachments/");
    abort.abort(new Error("the test is over"));
  });

  it("that is dense where it begins is shown within the same bound", async () => {
    const app = await createTestApp(["ok"], { config });
    await say(app, `${"字".repeat(3_000)}${" ".repeat(200_000)}`);
    expect(measure(app.provider.requests[0] as ModelRequest)).toBeLessThanOrEqual(budget);
  });
});
