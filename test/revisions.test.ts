// What becomes of messages that people edit and delete, through a whole gateway and a chat app.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test } from "vitest";
import type { CodeScript } from "../src/llm/scripted.ts";
import { eventually } from "./support/eventually.ts";
import { type FakeDiscord, startFakeDiscord } from "./support/fake-discord.ts";
import { closeTestGateways, createTestGateway } from "./support/test-gateway.ts";

afterEach(closeTestGateways);

async function open(script: CodeScript) {
  const discord = await startFakeDiscord();
  onTestFinished(() => discord[Symbol.asyncDispose]());
  const channel = { enabled: true, token: discord.token, apiBase: discord.url, allowFrom: ["42"] };
  const gateway = await createTestGateway(script, {
    config: {
      channels: { discord: { ...channel, reactEmoji: "" }, collectMs: 0 },
      agents: { defaults: { maxConcurrentTurns: 1 } },
    },
  });
  await discord.waitFor(() => discord.beginnings.length > 0);
  const asked = (index: number) => JSON.stringify(gateway.provider.requests[index]?.messages.slice(1));
  const answers = () => discord.messages.map(({ text }) => text);
  return { discord, gateway, asked, answers };
}

let revision = 0;

function edit(discord: FakeDiscord, id: string, content: string): void {
  const author = { id: "42", username: "ann" };
  const edited_timestamp = `2026-01-01T00:00:${++revision}+00:00`;
  discord.push("MESSAGE_UPDATE", { id, channel_id: "7001", author, content, edited_timestamp });
}

function remove(discord: FakeDiscord, id: string): void {
  discord.push("MESSAGE_DELETE", { id, channel_id: "7001" });
}

/** A command is answered at once, and behind what was said before it in the same chat. */
async function untilReached({ discord, answers }: Awaited<ReturnType<typeof open>>): Promise<void> {
  const { length } = answers();
  discord.say("/help");
  await discord.waitFor(() => answers().length > length);
}

test("what still waits is replaced by its edit, and a deleted one is never read", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const scene = await open([() => held.then(() => "first"), "second"]);
  const { discord, gateway, asked, answers } = scene;
  discord.say("hold on", { channel_id: "7009" });
  await gateway.isAsked(1);
  const id = discord.say("remind me at nine");
  const gone = discord.say("my password is rosebud");
  edit(discord, id, "remind me at ten");
  remove(discord, gone);
  await untilReached(scene);
  release();
  await discord.waitFor(() => answers().includes("second"));
  expect(asked(1)).toContain("remind me at ten");
  expect(asked(1)).not.toMatch(/nine|rosebud/);
  expect(gateway.provider.requests).toHaveLength(2);
});

test("an edit of what was answered is read as a correction, and answered where that changes something", async () => {
  const { discord, gateway, asked, answers } = await open([
    "At nine.",
    "Then at ten.",
    "NOTHING_CHANGES",
    "Still at ten.",
  ]);
  const id = discord.say("remind me at nine");
  await discord.waitFor(() => answers().includes("At nine."));
  edit(discord, id, "remind me at ten");
  await discord.waitFor(() => answers().includes("Then at ten."));
  expect(asked(1)).toContain(
    "remind me at ten\\n[This is the edited text of an earlier message, which said: remind me at nine]",
  );
  edit(discord, id, "remind me at ten!");
  await gateway.isAsked(3);
  discord.say("when?");
  await discord.waitFor(() => answers().includes("Still at ten."));
  expect(answers()).toEqual(["At nine.", "Then at ten.", "Still at ten."]);
  expect(asked(2)).toContain("which said: remind me at ten]");
});

test("what was deleted after its answer is sent to no model again, and a running answer ends", async () => {
  const { promise: never } = Promise.withResolvers<string>();
  const { discord, gateway, asked, answers } = await open(["I see.", "What?", () => never]);
  const id = discord.say("my password is rosebud");
  await discord.waitFor(() => answers().includes("I see."));
  remove(discord, id);
  await eventually(() => readSessions(gateway.home)).toContain(`"deleted"`);
  discord.say("do you know a secret?");
  await discord.waitFor(() => answers().includes("What?"));
  expect(asked(1)).not.toContain("rosebud");
  expect(asked(1)).toContain("deleted by its sender");
  const running = discord.say("count to a million");
  await gateway.isAsked(3);
  remove(discord, running);
  await eventually(() => gateway.signals[2]?.aborted).toBe(true);
});

/** All conversations, as their files say them. */
async function readSessions(home: string): Promise<string> {
  const entries = await readdir(join(home, "sessions"), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
}
