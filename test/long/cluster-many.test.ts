// Many homes on two workers, of which one dies: the other one holds them all soon after the lease, and begins first what is asked for.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ClusterWorker } from "../../src/cluster/worker.ts";
import { createWords } from "../../src/i18n/words.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { createScripted } from "../../src/llm/scripted.ts";
import { ClusterStore } from "../../src/storage/cluster/cluster-store.ts";
import { importHome } from "../../src/storage/cluster/move-home.ts";
import { eventually } from "../support/eventually.ts";
import { sampled, tellFigure } from "../support/long-form.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const secret = "the key of a test";
const leaseMs = 5_000;

describe.skipIf(!hasPostgres)("many homes", () => {
  const count = sampled(20, 200);
  it(`${count} of a worker that died are held by the other one, and the one that is asked for begins first`, async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.remove());
    const url = await postgres.createDatabase();
    const store = new ClusterStore(url);
    onTestFinished(() => store.close());
    await store.prepare("check");
    const home = await createTemporaryFolder();
    const config = { agents: { defaults: { generateTitles: false } }, memory: { autoRecall: false } };
    writeFileSync(join(home, "config.json"), JSON.stringify(config));
    const ids = Array.from({ length: count }, (_, index) => `home${index}`);
    for (const id of ids) {
      await store.addHome(id);
      await importHome({ id, home, store, secret, clock: systemClock });
    }
    // Taken by a worker that never says a word again.
    expect(await store.take({ name: "dead", address: "" }, count, leaseMs)).toHaveLength(count);
    const diedAt = systemClock.elapsed();
    const own = new ClusterStore(url);
    const ending = new AbortController();
    const worker = new ClusterWorker({
      ...{ store: own, secret, name: "other", address: "", capacity: count, leaseMs, clock: systemClock },
      ...{ log: silentLog, folder: await createTemporaryFolder(), env: { PATH: process.env.PATH } },
      words: createWords("english"),
      provider: createScripted({ loop: true, steps: ["Here."] }),
    });
    const running = worker.run(ending.signal);
    onTestFinished(async () => {
      ending.abort(new Error("over"));
      await running;
      await own.close();
    });
    const countHeld = async () =>
      (await store.listHomes()).filter(({ holder, isHeld }) => holder === "other" && isHeld).length;
    await expect.poll(countHeld, { timeout: 600_000, interval: 20 }).toBe(count);
    const heldAfter = systemClock.elapsed() - diedAt;
    const last = ids.at(-1) ?? "";
    worker.hurry(last);
    await eventually(() => worker.gatewayOf(last) !== undefined).toBe(true);
    const begun = ids.filter((id) => worker.gatewayOf(id) !== undefined).length;
    const loop = worker.gatewayOf(last)?.app.loop;
    expect((await loop?.processDirect({ sessionKey: "web:one", text: "hello" }))?.text).toBe("Here.");
    await expect
      .poll(() => ids.filter((id) => worker.gatewayOf(id) !== undefined).length, { timeout: 1_200_000 })
      .toBe(count);
    expect(await countHeld()).toBe(count);
    expect(begun).toBeLessThan(count);
    const memory = process.memoryUsage().rss / 1024 / 1024;
    tellFigure("cluster-many", {
      homes: count,
      heldAfterMs: heldAfter,
      allBegunMs: systemClock.elapsed() - diedAt,
      memory,
    });
  });
});
