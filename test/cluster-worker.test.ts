// Workers with disks of their own on one PostgreSQL: a person's assistant answers, survives the loss of its worker, and is
// handed over when one ends.
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { examineCluster } from "../src/cli/commands/cluster-doctor.ts";
import { Entrance } from "../src/cluster/entrance.ts";
import { ClusterWorker, type WorkerOptions } from "../src/cluster/worker.ts";
import { createWords } from "../src/i18n/words.ts";
import { systemClock } from "../src/lib/clock.ts";
import { silentLog } from "../src/lib/log.ts";
import { createScripted } from "../src/llm/scripted.ts";
import { ClusterStore } from "../src/storage/cluster/cluster-store.ts";
import { importHome } from "../src/storage/cluster/move-home.ts";
import { eventually } from "./support/eventually.ts";
import { findFreePort } from "./support/free-port.ts";
import { hasPostgres, type Postgres, startPostgres } from "./support/postgres.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { openWebClient } from "./support/web-client.ts";

const secret = "the key of a test";
const leaseMs = 3_000;

describe.skipIf(!hasPostgres)("workers", () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.remove());

  async function prepare() {
    const url = await postgres.createDatabase();
    const store = new ClusterStore(url);
    onTestFinished(() => store.close());
    await store.prepare("check");
    const home = await createTemporaryFolder();
    const config = {
      providers: { test: { apiBase: "http://127.0.0.1:9/v1", apiKey: "k" } },
      memory: { autoRecall: false },
    };
    writeFileSync(join(home, "config.json"), JSON.stringify(config));
    await store.addHome("ann");
    await importHome({ id: "ann", home, store, secret, clock: systemClock });
    await store.allow("ann", "network");
    return { url, store };
  }

  async function start(url: string, name: string, more: Partial<WorkerOptions> = {}) {
    // A connection of its own, as another machine has.
    const store = new ClusterStore(url);
    const ending = new AbortController();
    const worker = new ClusterWorker({
      ...{ store, secret, name, address: "", capacity: 5, leaseMs, clock: systemClock, log: silentLog },
      folder: await createTemporaryFolder(),
      env: { PATH: process.env.PATH },
      words: createWords("english"),
      provider: createScripted({
        loop: true,
        steps: [({ messages }) => `I know ${messages.length - 1} messages.`],
      }),
      ...more,
    });
    const running = worker.run(ending.signal);
    const stop = async () => {
      ending.abort(new Error("over"));
      await running;
      await store.close().catch(() => {});
    };
    onTestFinished(stop);
    return { worker, stop, store, address: more.address ?? "" };
  }

  async function ask(worker: ClusterWorker, text: string): Promise<string> {
    await eventually(() => worker.gatewayOf("ann") !== undefined).toBe(true);
    const loop = worker.gatewayOf("ann")?.app.loop;
    const { text: answer = "" } = (await loop?.processDirect({ sessionKey: "web:one", text })) ?? {};
    return answer;
  }

  it("hand a home over with its conversation when one ends", async () => {
    const { url, store } = await prepare();
    const first = await start(url, "first");
    expect(await ask(first.worker, "hello")).toBe("I know 1 messages.");
    await first.stop();
    expect((await store.listHomes())[0]).toMatchObject({ id: "ann", isHeld: false, holder: null });
    const second = await start(url, "second");
    expect(await ask(second.worker, "again")).toBe("I know 3 messages.");
    expect((await store.listHomes())[0]).toMatchObject({ holder: "second", isHeld: true });
  });

  it("let a home that nobody uses sleep, and wake it for a request", async () => {
    const { url, store } = await prepare();
    await store.setHost("ann", "ann.example.org");
    const { worker } = await start(url, "first", { sleepAfterMs: 1 });
    const row = async () => (await store.listHomes())[0];
    await eventually(async () => (await row())?.isAsleep).toBe(true);
    expect(worker.gatewayOf("ann")).toBeUndefined();
    const entrance = new Entrance({
      ...{ store, secret, clock: systemClock, log: silentLog, patienceMs: 60_000 },
      gatewayOf: (id) => worker.gatewayOf(id),
      onWait: (id) => worker.hurry(id),
      isReady: () => true,
    });
    onTestFinished(() => entrance.close());
    const port = await entrance.listen(0, "127.0.0.1");
    expect(await fetchStatus(port, "ann.example.org")).toBe(200);
    await eventually(async () => (await row())?.isAsleep).toBe(true);
  });

  it("serve all homes of one owner below one address, each with a sign-in that outlives its worker", async () => {
    const { url, store } = await prepare();
    await store.addHome("bob");
    const open = async (name: string, capacity: number) => {
      const started = await start(url, name, {
        ...{ capacity, publicUrl: "http://127.0.0.1", address: `http://127.0.0.1:${await findFreePort()}` },
      });
      const entrance = new Entrance({
        ...{ store, secret, clock: systemClock, log: silentLog, patienceMs: 60_000 },
        ...{ publicUrl: "http://127.0.0.1", isReady: () => true },
        gatewayOf: (id) => started.worker.gatewayOf(id),
        onWait: (id) => started.worker.hurry(id),
      });
      onTestFinished(() => entrance.close());
      return { ...started, entrance };
    };
    const first = await open("first", 5);
    const port = await first.entrance.listen(0, "127.0.0.1");
    const base = `http://127.0.0.1:${port}`;
    expect((await fetch(`${base}/h/ann/`)).status).toBe(200);
    expect((await fetch(`${base}/h/bob/`)).status).toBe(200);
    expect((await fetch(`${base}/h/carl/`)).status).toBe(404);
    expect(await fetchStatus(port, "other.example.org", "/h/ann/")).toBe(404);
    const gateway = first.worker.gatewayOf("ann");
    if (gateway === undefined) throw new Error("nobody serves it");
    const page = await openWebClient({ url: `${base}/h/ann`, client: gateway.client });
    expect((await page.ask("homes.list", {})).homes.map(({ path }) => path)).toEqual(["/h/ann/", "/h/bob/"]);
    const me = (home: string) =>
      fetch(`${base}/h/${home}/api/me`, { headers: { cookie: page.cookie } }).then(({ status }) => status);
    expect([await me("ann"), await me("bob")]).toEqual([200, 401]);
    await page.close();
    // Elsewhere, with another port: this worker passes on what it is asked.
    const second = await open("second", 5);
    await second.entrance.listen(Number(new URL(second.address).port), "127.0.0.1");
    await store.move("ann", "second", 60_000);
    await eventually(() => second.worker.gatewayOf("ann") !== undefined).toBe(true);
    expect(first.worker.gatewayOf("ann")).toBeUndefined();
    expect(await me("ann")).toBe(200);
  });

  it("are examined with their database and homes", async () => {
    const { url, store } = await prepare();
    const examine = async () => {
      const { json, code } = await examineCluster(store, leaseMs, createWords("english"));
      const { findings } = json as { findings: Array<{ state: string; check: string }> };
      const found = findings.filter(({ state }) => state !== "ok");
      return { code, found: found.map(({ state, check }) => `${state} ${check}`) };
    };
    expect(await examine()).toEqual({ code: 1, found: ["warning noStandby", "bad noWorker"] });
    const { worker } = await start(url, "first", { capacity: 1 });
    await eventually(() => worker.gatewayOf("ann") !== undefined).toBe(true);
    expect(await examine()).toEqual({ code: 0, found: ["warning noStandby"] });
    await store.setQuota("ann", 1 + ((await store.listHomes())[0]?.bytes ?? 0));
    await store.addHome("bob");
    await store.addHome("carl");
    postgres.ask(url, "update home set takes = 3 where id = 'carl'");
    const found = ["warning noStandby", "bad full", "warning nearQuota", "bad stuck"];
    expect(await examine()).toEqual({ code: 1, found });
  });

  it("finish an answer that is under way when its home moves", async () => {
    const { url, store } = await prepare();
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<string>();
    const slow = createScripted({
      steps: [
        () => {
          asked.resolve();
          return answer.promise;
        },
      ],
    });
    const first = await start(url, "first", { provider: slow });
    const said = ask(first.worker, "hello");
    await asked.promise;
    const second = await start(url, "second");
    await store.move("ann", "second", 60_000);
    await eventually(() => first.worker.gatewayOf("ann") === undefined).toBe(true);
    answer.resolve("Here it is.");
    expect(await said).toBe("Here it is.");
    expect(await ask(second.worker, "again")).toBe("I know 3 messages.");
  });

  it("serve a home once, also when two have one name", async () => {
    const { url, store } = await prepare();
    const both = [await start(url, "same"), await start(url, "same")];
    await eventually(() => both.filter(({ worker }) => worker.gatewayOf("ann") !== undefined).length).toBe(1);
    const holder = both.find(({ worker }) => worker.gatewayOf("ann") !== undefined) ?? both[0];
    if (holder === undefined) throw new Error("nobody serves it");
    expect(await ask(holder.worker, "hello")).toBe("I know 1 messages.");
    await holder.stop();
    const other = both.find((each) => each !== holder);
    if (other !== undefined) expect(await ask(other.worker, "again")).toBe("I know 3 messages.");
    expect((await store.listHomes())[0]).toMatchObject({ holder: "same", isHeld: true });
  });
});

function fetchStatus(port: number, host: string, path = "/"): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}
