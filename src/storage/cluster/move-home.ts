// A home of one machine becomes one of the cluster, and back: files byte for byte, state.db row for row.
import { existsSync, lstatSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fail } from "../../i18n/user-error.ts";
import type { Clock } from "../../lib/clock.ts";
import { holdHome } from "../home-lock.ts";
import type { ClusterStore } from "./cluster-store.ts";
import { database, HomeTree } from "./home-tree.ts";
import { PostgresDurability } from "./postgres-durability.ts";
import { dropHome, restoreHome } from "./restore-home.ts";
import { Seal } from "./seal.ts";

export interface MovedHome {
  id: string;
  /** A folder on this disk. */
  home: string;
  store: ClusterStore;
  secret: string;
  /** Another key, by which the home may be sealed. */
  also?: string;
  clock: Clock;
}

const leaseMs = 60_000;
/** All of a home is too much for one commit; nobody talks to it meanwhile. */
const largestAtOnce = 1024 * 1024;

/** The folder stays as it is. The home of the cluster has to be new, and held by nobody. */
export async function importHome(options: MovedHome): Promise<void> {
  const { id, home, store, secret, clock } = options;
  refuseWorkspaceElsewhere(home);
  // No gateway of this machine may write meanwhile.
  const release = await holdHome({ home, clock, name: "gateway-lock", patienceMs: 0 }, "import");
  try {
    const takenAt = { elapsed: clock.elapsed(), now: clock.now() };
    const held = await store.takeOne(id, "import", leaseMs);
    if (held === undefined) throw fail("cluster.home-held", { home: id });
    try {
      if (held.version > 0) throw fail("cluster.home-not-empty", { home: id });
      const tree = new HomeTree(home, largestAtOnce);
      const engine = await PostgresDurability.open({
        ...{ home, held, store, tree, clock, leaseMs, takenAt, lastChange: 0 },
        seal: new Seal(id, secret),
      });
      engine.changed("");
      await engine.settle();
    } finally {
      await store.release(held);
    }
  } finally {
    release();
  }
}

/** Into a folder that is not there yet. The cluster keeps its home. */
export async function exportHome({ id, home, store, secret, also }: MovedHome): Promise<void> {
  if (existsSync(home)) throw fail("cluster.folder-exists", { folder: home });
  const held = await store.takeOne(id, "export", leaseMs);
  if (held === undefined) throw fail("cluster.home-held", { home: id });
  try {
    await restoreHome({ id, home, store, seal: new Seal(id, secret, also) });
  } finally {
    await store.release(held);
  }
}

/** Stores all of a home again, sealed by the first key. It has to be held by nobody. */
export async function resealHome(options: Omit<MovedHome, "home">): Promise<void> {
  const { id, store, secret, also, clock } = options;
  const takenAt = { elapsed: clock.elapsed(), now: clock.now() };
  const held = await store.takeOne(id, "rotate-key", leaseMs);
  if (held === undefined) throw fail("cluster.home-held", { home: id });
  const home = mkdtempSync(join(tmpdir(), "nanobot-rotate-"));
  try {
    const seal = new Seal(id, secret, also);
    const source = { id, home, store, seal, largestFile: largestAtOnce };
    const { tree, lastChange, isNew } = await restoreHome(source);
    if (isNew) return;
    tree.forgetContent();
    const engine = await PostgresDurability.open({
      ...{ home, held, store, seal, tree, clock, leaseMs, takenAt, lastChange },
    });
    engine.changed("");
    engine.snapshot(database);
    await engine.settle();
  } finally {
    await store.release(held);
    dropHome(home);
  }
}

/** Only what is in the home moves with it. */
function refuseWorkspaceElsewhere(home: string): void {
  const config = join(home, "config.json");
  if (!existsSync(config)) return;
  if (lstatSync(config).size > 1024 * 1024) return;
  const text = readFileSync(config, "utf8");
  const named = /"workspace"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  if (named === undefined || named.startsWith("~")) return;
  const place = relative(home, named);
  if (place.startsWith("..")) throw fail("cluster.workspace-elsewhere", { folder: named });
}
