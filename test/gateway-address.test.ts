// Where the gateway of the real program listens, and where it refuses to.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { packageRoot } from "../src/lib/package-root.ts";
import { allocatorSettings } from "../src/lib/process/engine-memory.ts";
import { nanobot as command } from "../src/lib/program-command.ts";
import { anything, hasKeys, like, words } from "./support/english.ts";
import { createProgramHome, nanobot } from "./support/run-program.ts";
import { runProgram, startProgram } from "./support/start-program.ts";

const open = { gateway: { host: "0.0.0.0" } };

test("an address that others can reach needs a key: without one nothing starts, and the next step is told", async () => {
  const { env } = await createProgramHome(open);
  const { code, stderr } = await runProgram(nanobot("gateway", "--port", "0"), { env });
  expect(code).toBe(1);
  expect(stderr).toMatch(like(words.gateway.address.open(anything)));
  const chinese = { ...env, LANG: "zh_CN.UTF-8" };
  const said = await runProgram(nanobot("gateway", "--port", "0"), { env: chinese });
  expect(said.stderr).toContain("请在 config.json 里把 api.apiKey 设为一个密钥");
});

test("with a key it serves clients that show it", async () => {
  const { env } = await createProgramHome({ ...open, api: { apiKey: "a-long-enough-key" } });
  const program = startProgram(nanobot("gateway", "--port", "0"), { env });
  await program.waitFor(words.gateway.stopHint);
  const { stdout } = await runProgram(nanobot("gateway", "status", "--json"), { env });
  const { url } = JSON.parse(stdout) as { url: string };
  const ask = (key: string) =>
    fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ messages: [{ role: "user", content: "Hello" }] }),
    });
  expect((await ask("another-key")).status).toBe(401);
  const answer = await ask("a-long-enough-key");
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    choices: [{ message: { content: expect.stringMatching(/\S/) } }],
  });
  program.kill("SIGTERM");
  const { code, stdout: printed, stderr } = await program.ended;
  expect(code).not.toBe(1);
  expect(printed + stderr).not.toContain("a-long-enough-key");
});

test("a port that is in use is told with the command that chooses another, and that command works", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const { env } = await createProgramHome();
  const run = (more: NodeJS.ProcessEnv) =>
    runProgram(nanobot("gateway", "--port", String(port)), { env: { ...env, ...more } });
  const { code, stderr } = await run({ npm_lifecycle_event: "start" });
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${port}`)]);
  if (!hasKeys) expect(stderr).toContain(`npm start -- --port ${port + 1}`);
  const chinese = await run({ LANG: "zh_CN.UTF-8" });
  expect(chinese.stderr).toContain(`已被另一个程序占用。请换一个端口：${command} gateway --port ${port + 1}`);
  const free = startProgram(["npm", "start", "--", "--port", "0"], { env, cwd: packageRoot });
  await free.waitFor(words.gateway.stopHint);
  free.kill("SIGTERM");
  await free.ended;
});

test("in the background it says that it runs and that it has ended, as JSON too", async () => {
  const { env } = await createProgramHome();
  const run = (...argv: string[]) => runProgram(nanobot("gateway", ...argv), { env });
  const started = await run("start", "--port", "0", "--json");
  expect(JSON.parse(started.stdout)).toEqual({
    isRunning: true,
    url: expect.stringContaining("http://127.0.0.1:"),
    pid: expect.any(Number),
  });
  // With what limits the memory of its allocator, where the system says so.
  if (process.platform === "linux") {
    const environment = await readFile(`/proc/${JSON.parse(started.stdout).pid}/environ`, "utf8");
    for (const [name, value] of Object.entries(allocatorSettings))
      expect(environment).toContain(`${name}=${value}\0`);
  }
  expect((await run("start", "--port", "0")).stderr).toMatch(
    like(words.gateway.isRunning(anything, anything)),
  );
  expect(JSON.parse((await run("stop", "--json")).stdout)).toEqual({ isRunning: false });
});

test("in the background, too, it says why it does not start", async () => {
  const { env } = await createProgramHome(open);
  const { code, stderr } = await runProgram(nanobot("gateway", "start"), { env });
  expect(code).toBe(1);
  expect(stderr).toMatch(like(words.gateway.address.open(anything)));
  expect(stderr).toMatch(like(words.gateway.notStarted(anything)));
});
