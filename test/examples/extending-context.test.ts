// The examples of docs/extending-context.md at work.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createProgramHome } from "../support/run-program.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { closeTestApps, createTestApp, type TestApp } from "../support/test-app.ts";
import { askOnce } from "./embedded-assistant.ts";
import { withGitBranch } from "./git-branch.ts";
import { keepLastRounds } from "./last-rounds.ts";
import { asLibrarian } from "./other-identity.ts";
import { buildPrompt, withToolCall } from "./own-loop.ts";
import { withProjectFile } from "./project-file.ts";
import { warnOver } from "./token-limit.ts";

afterEach(closeTestApps);

const sessionKey = "cli:direct";

async function ask(app: TestApp, text: string): Promise<void> {
  expect((await app.loop.processDirect({ sessionKey, text })).stop).toBe("completed");
}

function lastSent({ provider }: TestApp): { system: string; user: string; length: number } {
  const messages = provider.requests.at(-1)?.messages ?? [];
  return {
    system: String(messages[0]?.content),
    user: String(messages.at(-1)?.content),
    length: messages.length,
  };
}

it("an embedded assistant answers, here with the offline model", async () => {
  const { env } = await createProgramHome();
  expect(await askOnce("hi", env, withProjectFile)).toMatch(/\S/);
});

it("another list of files brings PROJECT.md into the prompt", async () => {
  const app = await createTestApp(["Yes."], { context: withProjectFile });
  await writeFile(join(app.workspace, "PROJECT.md"), "We build a bridge.");
  await ask(app, "hello");
  expect(lastSent(app).system).toMatch(/## SOUL\.md[\s\S]+## PROJECT\.md\n\nWe build a bridge\./);
});

it("another identity takes the place of the first layer and of nothing else", async () => {
  const app = await createTestApp(["Yes."], { context: asLibrarian });
  await ask(app, "hello");
  const { system } = lastSent(app);
  expect(
    system.startsWith(`# Ada\n\nYou are Ada, a librarian. You answer from the files in \`${app.workspace}\``),
  ).toBe(true);
  expect(system).not.toContain("You are nanobot");
  expect(system).toContain("## SOUL.md");
});

it("a dynamic layer is at the end, and its change is told without touching what was sent", async () => {
  const app = await createTestApp(["One.", "Two."], { context: withGitBranch });
  await mkdir(join(app.workspace, ".git"));
  await writeFile(join(app.workspace, ".git/HEAD"), "ref: refs/heads/main\n");
  await ask(app, "first");
  const first = lastSent(app);
  expect(first.system.endsWith("\n\n---\n\n# Git branch\n\nmain")).toBe(true);
  await writeFile(join(app.workspace, ".git/HEAD"), "ref: refs/heads/bridge\n");
  await ask(app, "second");
  expect(lastSent(app).system).toBe(first.system);
  expect(lastSent(app).user).toContain("Git branch was changed. From now on it reads:\nbridge");
});

describe("a history compressor", () => {
  it("sends the last five rounds, and the look at it says where that breaks the prefix", async () => {
    const app = await createTestApp({ steps: ["Yes."], loop: true }, { context: keepLastRounds(5) });
    for (let round = 1; round <= 5; round++) await ask(app, `round ${round}`);
    expect(lastSent(app).length).toBe(1 + 9);
    const { diff, request } = await app.loop.inspect({ sessionKey, text: "round 6" });
    expect(diff.break).toEqual({ place: "history", why: "compressed", messages: 0 });
    await ask(app, "round 6");
    expect(lastSent(app).length).toBe(1 + 9);
    expect(app.provider.requests.at(-1)?.messages[1]?.content).toMatch(/^round 2\n/);
    expect(request.messages).toHaveLength(10);
  });
});

it("a validator hears of each prompt that is sent, and not of those that are only looked at", async () => {
  const warnings: string[] = [];
  const context = warnOver(5_000, (sentence) => warnings.push(sentence));
  const app = await createTestApp(["Short.", "Long."], { context });
  await ask(app, "hello");
  expect(warnings).toEqual([]);
  const long = "many words ".repeat(2_500);
  await app.loop.inspect({ sessionKey, text: long });
  expect(warnings).toEqual([]);
  await ask(app, long);
  expect(warnings).toEqual([
    expect.stringMatching(/^This prompt has some [5-9]\d{3} tokens, more than 5000\.$/),
  ]);
});

describe("the prompt alone", () => {
  it("is two messages without history: a system prompt that names nanobot and the workspace, the runtime context in the second", async () => {
    const workspace = await createTemporaryFolder({ "SOUL.md": "Calm." });
    const messages = await buildPrompt(workspace, "Good morning");
    expect(messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(messages[0]?.content).toContain("nanobot");
    expect(messages[0]?.content).toContain(workspace);
    expect(messages[1]?.content).toMatch(
      /^Good morning\n\n\[Runtime Context — metadata only, not instructions\]\nCurrent Time: \d{4}-/,
    );
  });

  it("grows by an assistant's call, whose content may be null, and its result", async () => {
    const workspace = await createTemporaryFolder();
    const messages = withToolCall(await buildPrompt(workspace, "Read it"), "a.md", "It says hello.");
    expect(messages.slice(2)).toEqual([
      { role: "assistant", content: null, tool_calls: [expect.objectContaining({ id: "call_1" })] },
      { role: "tool", tool_call_id: "call_1", name: "read_file", content: "It says hello." },
    ]);
  });
});
