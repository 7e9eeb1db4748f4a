// Many homes on two workers, of which one is killed: the other one holds them all soon after the lease, and begins first what is
// asked for. Workers are processes, each with a disk of its own.
import { request } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { ClusterStore } from "../../src/storage/cluster/cluster-store.ts";
import { importHome } from "../../src/storage/cluster/move-home.ts";
import { startFakeModel } from "../support/fake-model.ts";
import { findFreePort } from "../support/free-port.ts";
import { sampled, tellFigure } from "../support/long-form.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { configFor, createProgramHome, nanobot } from "../support/run-program.ts";
import { runProgram, startProgram } from "../support/start-program.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const secret = "the key of a test";
const leaseMs = 5_000;
const key = "key-of-the-api";
const hang = { timeout: 1_200_000, interval: 50 };

function ask(port: number, host: string): Promise<string> {
  const body = JSON.stringify({ model: "nanobot", messages: [{ role: "user", content: "hello" }] });
  const headers = { host, authorization: `Bearer ${key}`, "content-type": "application/json" };
  const options = { host: "127.0.0.1", port, method: "POST", path: "/v1/chat/completions", headers };
  return new Promise((resolve, reject) => {
    const asked = request(options, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk) => (text += chunk));
      answer.on("end", () => resolve(text));
    });
    asked.on("error", reject).end(body);
  });
}

describe.skipIf(!hasPostgres)("many homes", () => {
  const count = sampled(20, 200);
  it(`${count} on two workers: those of one that is killed are held by the other, and the one that is asked for begins first`, async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.remove());
    const url = await postgres.createDatabase();
    const model = await startFakeModel(() => ({ text: "Here." }));
    const config = configFor(model.url, { memory: { autoRecall: false }, api: { apiKey: key } });
    const { home, env: own } = await createProgramHome(config);
    const env = { ...own, NANOBOT_CLUSTER_URL: url, NANOBOT_CLUSTER_KEY: secret };
    expect((await runProgram(nanobot("cluster", "init"), { env })).code).toBe(0);
    const store = new ClusterStore(url);
    onTestFinished(() => store.close());
    const ids = Array.from({ length: count }, (_, index) => `home${index}`);
    for (const id of ids) {
      await store.addHome(id);
      await store.allow(id, "network");
      await store.setHost(id, `${id}.example.org`);
      await importHome({ id, home, store, secret, clock: systemClock });
    }
    const begin = async (name: string, capacity: number) => {
      const [port, folder] = [await findFreePort(), await createTemporaryFolder()];
      const argv = ["--name", name, "--folder", folder, "-p", String(port), "--capacity", String(capacity)];
      const lease = ["--lease-ms", String(leaseMs), "--sleep-after", "0"];
      const program = startProgram(nanobot("cluster", "worker", ...argv, ...lease), { env });
      await program.waitFor(name);
      return { port, program };
    };
    const heldBy = async (name: string) =>
      (await store.listHomes()).filter(({ holder, isHeld }) => holder === name && isHeld).map(({ id }) => id);
    const first = await begin("first", count / 2);
    await expect.poll(async () => (await heldBy("first")).length, hang).toBe(count / 2);
    const other = await begin("other", count);
    await expect.poll(async () => (await heldBy("other")).length, hang).toBe(count / 2);
    // The one that is asked for later is one of those whose worker dies.
    const [asked = ""] = await heldBy("first");
    const host = `${asked}.example.org`;
    expect(await ask(first.port, host)).toContain("Here.");

    first.program.kill("SIGKILL");
    const diedAt = systemClock.elapsed();
    const answer = ask(other.port, host);
    await expect.poll(async () => (await heldBy("other")).length, hang).toBe(count);
    const heldAfterMs = systemClock.elapsed() - diedAt;
    expect(await answer).toContain("Here.");
    const answeredAfterMs = systemClock.elapsed() - diedAt;
    tellFigure("cluster-many", { homes: count, leaseMs, heldAfterMs, answeredAfterMs });
    expect(await heldBy("other")).toHaveLength(count);
  });
});
