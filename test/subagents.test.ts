// Subagents through the front door: a channel, the bus, the loop, a scripted model for parent and child, real tools.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import type { OutboundPart } from "../src/bus/types.ts";
import type { CodeStep } from "../src/offline/scripted.ts";
import { defineTool } from "../src/runner/define-tool.ts";
import type { Tool } from "../src/runner/tool.ts";
import { createFakeChannel, type FakeChannel } from "./support/fake-channel.ts";
import { closeTestApps, createTestApp, type TestApp, type TestAppOptions } from "./support/test-app.ts";
import { isSubagent, playTwo } from "./support/two-minds.ts";

afterEach(closeTestApps);

type Options = TestAppOptions & { config?: unknown };

interface Talk {
  app: TestApp;
  channel: FakeChannel;
  hear(text: string): Promise<string>;
  next(): Promise<OutboundPart>;
}

async function talk(main: CodeStep[], sub: CodeStep[], options: Options = {}): Promise<Talk> {
  const app = await createTestApp(playTwo({ main, sub }), options);
  const channel = createFakeChannel("fake");
  void app.loop.run(new AbortController().signal);
  void channel.serve(app.bus, new AbortController().signal);
  const hear = async (text: string) => {
    await channel.say(text);
    return (await channel.nextPart()).text;
  };
  return { app, channel, hear, next: () => channel.nextPart() };
}

const spawn = (task: string, more: Record<string, unknown> = {}): CodeStep => ({
  toolCalls: [{ name: "spawn", arguments: { task, ...more } }],
});

/** Texts of the last request of the parent, newest last. */
function heardByMain({ provider }: TestApp): string[] {
  const request = provider.requests.findLast((one) => !isSubagent(one));
  return (request?.messages ?? []).map(({ content }) => String(content));
}

const requestsOfSub = ({ provider }: TestApp) => provider.requests.filter(isSubagent);

/** A step that waits to be let go on. */
function held(step: CodeStep) {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const wait: CodeStep = async (request) => {
    reach();
    await released;
    return typeof step === "function" ? step(request) : step;
  };
  return { wait, reached, release };
}

describe("a subagent in the background", () => {
  it("works on while the conversation goes on, and its result starts a turn that tells of it", async () => {
    const work = held("Three files are too long.");
    const { app, channel, hear, next } = await talk(
      [spawn("Find long files in src", { label: "long files" }), "I have started.", "Hello!", "Three are."],
      [work.wait],
    );
    expect(await hear("look for long files")).toBe("I have started.");
    await work.reached;
    expect(await hear("hi")).toBe("Hello!");
    work.release();
    const part = await next();
    expect(part).toMatchObject({ text: "Three are.", channel: "fake", chatId: "room", kind: "answer" });
    expect(heardByMain(app).at(-1)).toMatch(
      /^\[Subagent "long files" has finished\]\n\nTask: Find long files in src\n\nResult: Three files are too long\.\n/,
    );
    expect(heardByMain(app).filter((text) => text.startsWith("[Subagent"))).toHaveLength(1);
    const [started] = heardByMain(app).filter((text) => text.startsWith('Subagent "long files" started'));
    expect(started).toMatch(/\(id \S{8}\)/);
    expect(channel.seen.every(({ sessionKey }) => sessionKey === "fake:room")).toBe(true);
  });

  it("has a short prompt of its own, which a person may replace, and no tools that reach further", async () => {
    const { app, hear, next } = await talk(
      [spawn("one"), "started", "told", spawn("two"), "started", "told"],
      ["done", "done"],
    );
    await hear("go");
    await next();
    const [request] = requestsOfSub(app);
    const [system, user] = (request?.messages ?? []).map(({ content }) => String(content));
    expect(system).toContain(app.workspace);
    expect(system).not.toMatch(/SOUL\.md|\{\{/);
    expect(user).toMatch(/^one\n\n/);
    const names = request?.tools?.map(({ name }) => name) ?? [];
    expect(names).toEqual(expect.arrayContaining(["read_file", "exec", "web_fetch"]));
    expect(names.filter((name) => ["spawn", "message", "cron"].includes(name))).toEqual([]);
    await writeFile(join(app.workspace, "prompts", "subagent.md"), "# Subagent of Ann").catch(async () => {
      const { mkdir } = await import("node:fs/promises");
      await mkdir(join(app.workspace, "prompts"));
      await writeFile(join(app.workspace, "prompts", "subagent.md"), "# Subagent of Ann");
    });
    await hear("again");
    await next();
    expect(requestsOfSub(app)[1]?.messages[0]?.content).toMatch(/^# Subagent of Ann/);
  });
});
