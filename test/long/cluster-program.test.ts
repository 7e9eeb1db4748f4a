// `nanobot cluster` as processes: a database is prepared, a home moves in, a worker answers, dies without a word, and another on
// a disk of its own goes on with the conversation.
import { existsSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttpClient } from "../../src/api/client.ts";
import { words } from "../support/english.ts";
import { eventually } from "../support/eventually.ts";
import { startFakeModel } from "../support/fake-model.ts";
import { findFreePort } from "../support/free-port.ts";
import { hasPostgres, type Postgres, startPostgres } from "../support/postgres.ts";
import { readKept } from "../support/recording-durability.ts";
import { configFor, createProgramHome, nanobot } from "../support/run-program.ts";
import { runProgram, startProgram } from "../support/start-program.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { openWebClient } from "../support/web-client.ts";

/** By `http`, which lets a test say the host. */
function fetchFrom(port: number, path: string, headers: Record<string, string>) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, headers }, (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (chunk) => (body += chunk));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    asked.on("error", reject).end();
  });
}

describe.skipIf(!hasPostgres)("nanobot cluster", () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.remove());

  async function prepare() {
    const model = await startFakeModel(({ messages }) => ({ text: `${messages.length - 1} so far` }));
    const local = await createProgramHome(configFor(model.url, { memory: { autoRecall: false } }));
    const variables = { NANOBOT_CLUSTER_URL: await postgres.createDatabase(), NANOBOT_CLUSTER_KEY: "a key" };
    const env = { ...local.env, ...variables };
    const run = async (...argv: string[]) => {
      const ended = await runProgram(nanobot("cluster", ...argv, "--json"), { env });
      return { ...ended, json: ended.code === 0 ? JSON.parse(ended.stdout) : undefined };
    };
    const moveIn = async () => {
      await run("init");
      const ended = await run("homes", "import", "ann", local.home);
      await run("homes", "allow", "ann", "network");
      return ended;
    };
    const begin = async (name: string, { isIdle = false } = {}) => {
      const folder = await createTemporaryFolder();
      const port = await findFreePort();
      const argv = ["worker", "--name", name, "--folder", folder, "--lease-ms", "5000", "-p", String(port)];
      const program = startProgram(nanobot("cluster", ...argv), { env });
      const home = join(folder, "homes", "ann");
      if (isIdle) await program.waitFor(name);
      else await eventually(() => existsSync(join(home, "run", "gateway.json"))).toBe(true);
      return { program, home, port };
    };
    const ask = async (home: string, text: string) => {
      const own = { ...local.env, NANOBOT_HOME: home };
      return (await runProgram(nanobot("agent", "-m", text), { env: own })).stdout.trim();
    };
    return { local, run, begin, ask, moveIn };
  }

  it("goes on elsewhere after the death of a worker, and gives the home back whole", async () => {
    const { local, run, begin, ask, moveIn } = await prepare();
    expect((await run("status")).code).toBe(1);
    expect((await run("init")).json).toEqual({ isPrepared: true });
    expect((await moveIn()).code).toBe(0);
    expect((await run("homes", "import", "ann", local.home)).code).toBe(1);
    expect((await run("homes", "add", "Not a name")).code).toBe(1);

    const first = await begin("first");
    expect(await ask(first.home, "hello")).toBe("1 so far");
    process.kill(first.program.pid, "SIGKILL");
    await first.program.ended;

    const second = await begin("second");
    expect(await ask(second.home, "again")).toBe("3 so far");
    const status = (await run("status")).json;
    expect(status.homes).toMatchObject([{ id: "ann", holder: "second", isHeld: true }]);
    expect((await run("homes", "remove", "ann")).code).toBe(1);
    const before = readKept(second.home);
    second.program.kill("SIGTERM");
    expect((await second.program.ended).code).toBe(0);
    expect(existsSync(second.home)).toBe(false);

    const out = join(await createTemporaryFolder(), "out");
    expect((await run("homes", "export", "ann", out)).code).toBe(0);
    const sessions = (kept: Record<string, string>) =>
      Object.entries(kept).filter(([path]) => path.endsWith(".jsonl") && path.startsWith("sessions/"));
    expect(sessions(readKept(out))).toEqual(sessions(before));
    expect(readFileSync(join(out, "config.json"), "utf8")).toBe(
      readFileSync(join(local.home, "config.json"), "utf8"),
    );
    expect((await run("homes", "remove", "ann")).code).toBe(0);
  });

  it("ends a home on a worker that was stopped beyond its lease; the home goes on where it is", async () => {
    const { run, begin, ask, moveIn } = await prepare();
    await moveIn();
    const first = await begin("first");
    expect(await ask(first.home, "hello")).toBe("1 so far");
    process.kill(first.program.pid, "SIGSTOP");
    const second = await begin("second");
    expect(await ask(second.home, "again")).toBe("3 so far");
    process.kill(first.program.pid, "SIGCONT");
    await eventually(() => existsSync(first.home)).toBe(false);
    expect(await ask(second.home, "and again")).toBe("5 so far");
    expect((await run("status")).json.homes).toMatchObject([{ holder: "second", isHeld: true, takes: 0 }]);
  });

  it("ends a home that is suspended, and begins it again", async () => {
    const { run, begin, ask, moveIn } = await prepare();
    await moveIn();
    const { home } = await begin("only");
    expect(await ask(home, "hello")).toBe("1 so far");
    await run("homes", "suspend", "ann");
    await eventually(() => existsSync(home)).toBe(false);
    expect((await run("status")).json.homes).toMatchObject([{ isHeld: false, isSuspended: true }]);
    await run("homes", "resume", "ann");
    await eventually(() => existsSync(join(home, "run", "gateway.json"))).toBe(true);
    expect(await ask(home, "again")).toBe("3 so far");
  });

  it("answers for every home on every worker, also while it is taken over", async () => {
    const { run, begin, moveIn } = await prepare();
    await moveIn();
    expect((await run("homes", "host", "ann", "Ann.example.org")).code).toBe(0);
    await run("homes", "add", "bob");
    await run("homes", "suspend", "bob");
    expect((await run("homes", "host", "bob", "ann.example.org")).code).toBe(1);
    expect((await run("homes", "host", "ann", "https://x")).code).toBe(1);
    const first = await begin("first");
    // The other one has nothing to serve, and asks the first.
    const other = await begin("other", { isIdle: true });
    let host = "ann.example.org";
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetchFrom(other.port, path, { host, ...headers });
    expect((await get("/")).body).toContain("<title>");
    expect((await get("/v1/models")).status).toBe(401);
    expect((await fetchFrom(other.port, "/", { host: "bob.example.org" })).status).toBe(404);
    expect((await fetchFrom(other.port, "/ready", { host: "balancer" })).status).toBe(200);
    // A page of another site, and a proof that nobody gave.
    expect((await get("/", { origin: "https://evil.example" })).status).toBe(403);
    expect((await get("/", { "x-nanobot-worker": `${Date.now()}.00` })).status).toBe(200);
    // The page: signs in, opens a socket, asks and is answered, all by way of the other worker.
    host = "127.0.0.1";
    expect((await run("homes", "host", "ann", host)).code).toBe(0);
    const address = JSON.parse(readFileSync(join(first.home, "run", "gateway.json"), "utf8"));
    const url = `http://127.0.0.1:${other.port}`;
    const page = await openWebClient({ url, client: createHttpClient(address) });
    await page.ask("chat.open", { sessionKey: "web:one" });
    await page.ask("chat.send", { sessionKey: "web:one", text: "hello" });
    await page.waitFor(({ event }) => event.type === "shown" && event.shown.type === "settled");
    await page.close();
    process.kill(first.program.pid, "SIGKILL");
    await first.program.ended;
    expect((await get("/")).body).toContain("<title>");
    expect(existsSync(other.home)).toBe(true);
  });

  it("says what is missing", async () => {
    const { env } = await createProgramHome();
    const bare = await runProgram(nanobot("cluster"), { env });
    expect(bare.code).toBe(1);
    expect(bare.stderr).toContain(words.phrases["cluster.no-url"]);
    const away = {
      ...env,
      NANOBOT_CLUSTER_URL: "postgresql://x:hidden@127.0.0.1:1/none",
      NANOBOT_CLUSTER_KEY: "k",
    };
    const refused = await runProgram(nanobot("cluster"), { env: away });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("ECONNREFUSED");
    expect(refused.stderr).not.toContain("hidden");
  });
});
