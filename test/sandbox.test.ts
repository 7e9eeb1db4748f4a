// Commands of the whole assistant: what they see of its home, when they get the network, and where there is no sandbox.
import { once } from "node:events";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import type { Approval } from "../src/bus/ask.ts";
import { packagePath } from "../src/lib/package-root.ts";
import { hasBubblewrap } from "./support/sandboxed-shell.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestApps, createTestApp, type TestApp, type TestAppOptions } from "./support/test-app.ts";

afterEach(closeTestApps);

const canary = "sk-canary-0123456789";

interface Ran {
  app: TestApp;
  /** What the model read of its last call. */
  results: string[];
  asked: Approval[];
}

async function run(
  calls: Array<Record<string, unknown>>,
  options: TestAppOptions & { config?: Record<string, unknown>; answer?: boolean } = {},
): Promise<Ran> {
  const { answer = true, config, ...more } = options;
  const script = [...calls.map((args) => ({ toolCalls: [{ name: "exec", arguments: args }] })), "done"];
  const providers = { openai: { apiKey: canary } };
  const app = await createTestApp(script, { config: { providers, ...config }, ...more });
  const asked: Approval[] = [];
  await app.loop.processDirect({
    sessionKey: "cli:direct",
    text: "go",
    ask: async (question) => {
      if (question.kind === "approval") asked.push(question);
      return { choice: answer ? "once" : "no" };
    },
  });
  const messages = app.provider.requests.at(-1)?.messages ?? [];
  const results = messages.flatMap(({ role, content }) => (role === "tool" ? [String(content)] : []));
  return { app, results, asked };
}

describe.runIf(hasBubblewrap())("a command of the assistant", () => {
  it("sees the workspace and nothing else of the home, and finds no key anywhere", async () => {
    // Not the whole machine, which may take any time.
    const places = `"$HOME" /tmp /var/tmp /run /etc /dev/shm`;
    const command = `env | grep ${canary}; grep -rs ${canary} ${places}; ls -A "$HOME"`;
    const { results, app } = await run([{ command }]);
    expect(results[0]).toMatch(/^workspace\n/m);
    expect(results[0]).not.toMatch(/config\.json|sessions|logs/);
    expect(results[0]).not.toContain(canary);
    expect(await readFile(join(app.home, "config.json"), "utf8")).toContain(canary);
  });

  it("has nothing of our environment but what it needs", async () => {
    const env = { ...process.env, npm_config_registry: "http://x", DEEPSEEK_API_KEY: canary };
    const { results } = await run([{ command: "env | cut -d= -f1 | sort" }], {
      env: { ...env, HOME: await createTemporaryFolder() },
    });
    expect(results[0]).not.toMatch(/npm_|KEY|TOKEN|SECRET|NANOBOT|VITEST/);
    expect(results[0]).toMatch(/^HOME\n(.*\n)*PATH\n/m);
  });

  it("reads the built-in skills and long results at their own paths", async () => {
    const skill = packagePath("skills/weather/SKILL.md");
    const config = { agents: { defaults: { maxToolResultChars: 500 } } };
    const { results } = await run([{ command: `head -2 ${skill}` }, { command: "seq 1 5000" }], { config });
    expect(results[0]).toMatch(/^---\nname: weather\n/);
    const stored = /All of it is in (\S+):/.exec(results[1] ?? "")?.[1];
    expect(stored).toContain("tool-results");
  });

  it("gets the network when the owner has agreed to it, however harmless it looks", async () => {
    const server = createServer((_, response) => response.end("reached")).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const prepare = `echo 'exec 3<>/dev/tcp/127.0.0.1/${port} && echo open' > probe`;
    const command = "bash ./probe";
    const without = await run([{ command: prepare }, { command }]);
    expect(without.results[1]).not.toContain("open");
    const allowed = await run([{ command: prepare }, { command, network: true }]);
    expect(allowed.results[1]).toMatch(/^open\n/);
    const refused = await run([{ command: "cat SOUL.md", network: true }], { answer: false });
    expect(refused.results[0]).toMatch(/^Not allowed/);
    expect(refused.asked).toHaveLength(1);
  });

  it("works in a workspace that is reached by a link", async () => {
    const folder = await createTemporaryFolder();
    await mkdir(join(folder, "real"));
    await symlink(join(folder, "real"), join(folder, "link"));
    await writeFile(join(folder, "real/note.md"), "here");
    const { results } = await run([{ command: "cat note.md; touch new && pwd" }], {
      workspace: join(folder, "link"),
    });
    expect(results[0]).toBe(`here${join(folder, "real")}\nExit code: 0`);
  });
});

describe("where there is no sandbox", () => {
  const bare = async () => {
    const folder = await createTemporaryFolder();
    for (const name of ["bash", "cat", "touch"]) await symlink(`/usr/bin/${name}`, join(folder, name));
    return { HOME: folder, PATH: folder };
  };

  it("no command runs if one is required, and the model hears how to get one", async () => {
    const config = { tools: { exec: { sandbox: "bwrap" } } };
    const { results, app } = await run([{ command: "touch made" }], { config, env: await bare() });
    expect(results[0]).toMatch(/package bubblewrap/);
    await expect(readFile(join(app.workspace, "made"))).rejects.toThrow(/ENOENT/);
  });

  it("commands run as they are, after a question", async () => {
    const { results, asked } = await run([{ command: "touch made && bash made" }], { env: await bare() });
    expect(results[0]).toBe("Exit code: 0");
    expect(asked).toHaveLength(1);
  });
});
