// What a window holds: a single turn that outgrows it, hosts that count otherwise than we do, messages too long for it.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { estimateJsonTokens } from "../src/lib/tokens.ts";
import type { ModelRequest } from "../src/llm/types.ts";
import { estimateMessageTokens, inputBudget } from "../src/memory/fit.ts";
import type { CodeStep } from "../src/offline/scripted.ts";
import { defineTool } from "../src/runner/define-tool.ts";
import { findIllegalities } from "./support/legal-history.ts";
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
    await writeFiles(app, names, 2_500);
    expect(await say(app, "Read them all")).toMatchObject({ stop: "completed", text: "Done." });
    const [, , , , , sixth] = app.provider.requests;
    for (const request of app.provider.requests) expect(measure(request)).toBeLessThanOrEqual(budget);
    const isLeftOut = resultsIn(sixth).map((text) => text.startsWith("[This result was left out"));
    expect(isLeftOut).toEqual([true, true, true, true, false]);
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
    await writeFiles(app, ["a.md", "b.md"], 600);
    expect(await say(app, "Read both")).toMatchObject({ text: "Done." });
    const [first = "", second = ""] = resultsIn(app.provider.requests[2]);
    expect(first).toMatch(/^\[This result was left out/);
    expect(second).toContain("b.md lorem");
  });

  it("keeps the place where a result of its lies that was too long to be shown", async () => {
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
