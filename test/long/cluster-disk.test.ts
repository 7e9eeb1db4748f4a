// A worker whose disk is full: it answers nothing that it could not keep, and hands the home over with all that it answered.
import { request } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startFakeModel } from "../support/fake-model.ts";
import { findFreePort } from "../support/free-port.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { configFor, createProgramHome, nanobot } from "../support/run-program.ts";
import { SmallDisk } from "../support/small-disk.ts";
import { runProgram, startProgram } from "../support/start-program.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const [key, host] = ["key-of-the-api", "ann.example.org"];

function ask(port: number): Promise<{ status: number; body: string }> {
  const body = JSON.stringify({ model: "nanobot", messages: [{ role: "user", content: "hello" }] });
  const headers = {
    host,
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "x-session-id": "s",
  };
  const options = { host: "127.0.0.1", port, method: "POST", path: "/v1/chat/completions", headers };
  return new Promise((resolve, reject) => {
    const asked = request(options, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk) => (text += chunk));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: text }));
    });
    asked.on("error", reject).end(body);
  });
}

describe.skipIf(!hasPostgres)("a worker whose disk is full", () => {
  it("hands its home over with everything that it answered", async () => {
    const postgres = await startPostgres({ port: await findFreePort() });
    onTestFinished(() => postgres.remove());
    const disk = await SmallDisk.mount();
    onTestFinished(() => disk.unmount());
    const model = await startFakeModel(({ messages }) => ({ text: `${messages.length - 1} so far` }));
    const config = configFor(model.url, { memory: { autoRecall: false }, api: { apiKey: key } });
    const { home, env: own } = await createProgramHome(config);
    const url = await postgres.createDatabase();
    const env = { ...own, NANOBOT_CLUSTER_URL: url, NANOBOT_CLUSTER_KEY: "a key" };
    const run = async (...argv: string[]) => {
      const ended = await runProgram(nanobot("cluster", ...argv, "--json"), { env });
      if (ended.code !== 0) throw new Error(ended.stderr);
      return JSON.parse(ended.stdout);
    };
    await run("init");
    await run("homes", "import", "ann", home);
    await run("homes", "allow", "ann", "network");
    await run("homes", "host", "ann", host);
    const begin = async (name: string, folder: string, enter = (argv: string[]) => argv) => {
      const port = await findFreePort();
      const argv = ["--name", name, "--folder", folder, "-p", String(port), "--sleep-after", "0"];
      const program = startProgram(enter(nanobot("cluster", "worker", ...argv)), { env });
      await program.waitFor(name);
      return { port, program };
    };
    const holder = async () => (await run("status")).homes[0].holder;
    const small = await begin("small", `${disk.path}/w`, (argv) => disk.enter(argv));
    expect(await ask(small.port)).toMatchObject({ status: 200, body: expect.stringContaining("1 so far") });
    // A machine of a test has no standby, which is a warning.
    expect((await run("doctor")).findings).toContainEqual(expect.objectContaining({ check: "noStandby" }));
    await disk.fill();
    const during = await ask(small.port);
    const other = await begin("other", await createTemporaryFolder());
    await run("homes", "move", "ann", "other");
    await eventually(holder).toBe("other");
    const after = await ask(other.port);
    expect(after.status).toBe(200);
    const count = Number(/(\d+) so far/.exec(after.body)?.[1]);
    expect(count).toBeGreaterThanOrEqual(during.status === 200 ? 5 : 3);
  });
});
