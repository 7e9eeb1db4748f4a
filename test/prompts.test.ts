// The prompt as a whole, compared with golden files in test/fixtures/prompts. A change of a template or a layer shows here
// as a difference that a person looks at; UPDATE_PROMPTS=1 npm test -- test/prompts.test.ts writes it.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Origin } from "../src/bus/types.ts";
import { createIdentityLayer, type Runtime } from "../src/context/layers/identity.ts";
import { PromptFiles } from "../src/context/layers/layer.ts";
import { packageRoot } from "../src/lib/package-root.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { expectGolden } from "./support/golden.ts";
import { terminalOrigin } from "./support/origins.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

const linux: Runtime = { platform: "linux", architecture: "x64", version: "v24.0.0" };
const windows: Runtime = { platform: "win32", architecture: "arm64", version: "v24.0.0" };

/** Programs decide which skills are available: here there are none. */
async function open(runtime = linux, context = {}): Promise<TestApp> {
  const identity = createIdentityLayer(new PromptFiles(), runtime);
  const env = { PATH: "/nowhere" };
  const clock = createFakeClock(Date.UTC(2026, 10, 15, 8, 30));
  const script = { steps: ["Yes."], loop: true };
  const config = { agents: { defaults: { timezone: "Asia/Shanghai" } } };
  return createTestApp(script, { config, clock, env, context: { identity, ...context } });
}

/** System text and message of the next request, without what differs from machine to machine. */
async function render(app: TestApp, text = "Good morning"): Promise<string> {
  const { request } = await app.loop.inspect({ sessionKey: "cli:direct", text });
  const [system, user] = request.messages.map(({ content }) => String(content));
  const whole = `${system}\n\n=== user ===\n\n${user}`;
  return whole.replaceAll(app.workspace, "<workspace>").replaceAll(packageRoot, "<package>");
}

describe("the prompt", () => {
  it("of a new workspace", async () => {
    await expectGolden("prompts/new-workspace.md", await render(await open()));
  });

  it("of a workspace that was lived in", async () => {
    const app = await open(linux, {
      bootstrapFiles: ["AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "IDENTITY.md", "PROJECT.md"],
    });
    await rm(join(app.workspace, "BOOTSTRAP.md"));
    const files: Record<string, string> = {
      "USER.md": "# User\n\n- Name: Ann 安\n- Timezone: Asia/Shanghai\n- Language: 中文\n",
      "IDENTITY.md": "# Identity\n\n- Name: Momo\n- Vibe: quick and dry\n",
      "PROJECT.md": "\ufeff# Project\r\n\r\nA bridge over the river.\r\n",
      "TOOLS.md": "",
      "memory/MEMORY.md": "# Long-term Memory\n\n- Has a cat named Luna.\n",
      "memory/2026-11-14.md": "- Began with the arch.\n",
      "memory/2026-11-15.md": "- The arch stands.\n",
      "memory/.dream_cursor": "1",
      "memory/history.jsonl": [
        { cursor: 1, timestamp: "2026-11-13 10:00", content: "Processed long ago." },
        { cursor: 2, timestamp: "2026-11-14 10:00", content: "We chose stone, not steel." },
      ]
        .map((entry) => `${JSON.stringify(entry)}\n`)
        .join(""),
      "skills/masonry/SKILL.md":
        '---\nname: masonry\ndescription: Cut & lay stones, "dry" or <wet>.\n---\n# Masonry\n\nLay it level.\n',
      "skills/toast/SKILL.md":
        "---\nname: toast\ndescription: Drink to the keystone.\nalways: true\n---\nRaise your glass.\n",
    };
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(app.workspace, name, ".."), { recursive: true });
      await writeFile(join(app.workspace, name), text);
    }
    await expectGolden("prompts/full-workspace.md", await render(app, "How do I cut this stone? $masonry"));
  });

  it("on Windows", async () => {
    await expectGolden("prompts/windows.md", await render(await open(windows)));
  });

  it("on several channels: one system text, and with each message its own runtime context", async () => {
    const app = await open();
    const origins: Origin[] = [
      terminalOrigin,
      { ...terminalOrigin, channel: "telegram", chatId: "8281248569", format: "messaging" },
      { ...terminalOrigin, channel: "api", chatId: "request-7", cause: "api", format: "plain" },
      { ...terminalOrigin, channel: "email", chatId: "ann@example.org", format: "email" },
      { ...terminalOrigin, channel: "web", chatId: "page", format: "markdown" },
    ];
    for (const origin of origins) {
      const { channel, chatId } = origin;
      await app.loop.processDirect({ sessionKey: `${channel}:${chatId}`, text: "Hi", origin });
    }
    const { requests } = app.provider;
    expect(new Set(requests.map(({ messages }) => messages[0]?.content)).size).toBe(1);
    expect(new Set(requests.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
    const contexts = requests.map(({ messages }) => String(messages[1]?.content));
    await expectGolden("prompts/channels.md", contexts.join("\n\n"));
  });
});
