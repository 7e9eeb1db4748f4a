// A database that fails over to its standby, which has everything that was committed: the holder of a home goes on there.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import type { Held } from "../../src/storage/cluster/cluster-rows.ts";
import { ClusterStore } from "../../src/storage/cluster/cluster-store.ts";
import { PostgresDurability } from "../../src/storage/cluster/postgres-durability.ts";
import { restoreHome } from "../../src/storage/cluster/restore-home.ts";
import { Seal } from "../../src/storage/cluster/seal.ts";
import { eventually } from "../support/eventually.ts";
import { findFreePort } from "../support/free-port.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { readKept } from "../support/recording-durability.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const [secret, leaseMs] = ["the key of a test", 600_000];

describe.skipIf(!hasPostgres)("a database with a synchronous standby", () => {
  it("fails over: nothing that was committed is lost, and the holder goes on", async () => {
    const ports = [await findFreePort(), await findFreePort()];
    const [first = 0, second = 0] = ports;
    const primary = await startPostgres({ port: first });
    onTestFinished(() => primary.remove());
    const url = await primary.createDatabase();
    const standby = await startPostgres({ port: second, follows: first });
    onTestFinished(() => standby.remove());
    primary.ask(primary.url, "alter system set synchronous_standby_names = '*'");
    primary.ask(primary.url, "select pg_reload_conf()");
    await eventually(() => primary.ask(primary.url, "select sync_state from pg_stat_replication")).toBe(
      "sync",
    );

    // The standby comes first: it takes no writes, so it is passed over.
    const store = new ClusterStore(url.replace(`:${first}/`, `:${second},127.0.0.1:${first}/`));
    onTestFinished(() => store.close());
    await store.prepare("check");
    await store.addHome("one");
    const [held] = await store.take({ name: "a", address: "" }, 1, leaseMs);
    const seal = new Seal("one", secret);
    const open = async (folder: string) => {
      const home = join(await createTemporaryFolder(), folder);
      return { home, ...(await restoreHome({ id: "one", home, store, seal })) };
    };
    const { home, tree, lastChange } = await open("home");
    const takenAt = { elapsed: systemClock.elapsed(), now: systemClock.now() };
    const engine = await PostgresDurability.open({
      ...{ home, held: held as Held, store, seal, tree, clock: systemClock, leaseMs, takenAt, lastChange },
    });
    const write = (name: string) => {
      writeFileSync(join(home, name), name);
      engine.changed(name);
    };
    write("before.md");
    await engine.commit();
    await primary.stop("at once");
    write("during.md");
    await expect(engine.commit()).rejects.toMatchObject({ fault: "unavailable" });
    standby.ask(url, "select pg_promote()");
    await eventually(() =>
      engine.commit().then(
        () => "stored",
        ({ fault }) => fault,
      ),
    ).toBe("stored");
    write("after.md");
    await engine.commit();
    expect(Object.keys(readKept((await open("elsewhere")).home))).toEqual([
      "after.md",
      "before.md",
      "during.md",
    ]);
  });
});
