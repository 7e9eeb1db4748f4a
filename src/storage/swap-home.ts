// Puts a restored home in the place of the present one, with a journal: the home is there at every moment, and the
// next start after a death in the middle finishes it. The folder `run` with the lock stays where it is. Where the home is
// kept elsewhere, all of it is one commit: there it is the old one or the new one.
import { existsSync, renameSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../lib/clock.ts";
import { removeFile, writeFileAtomic } from "./files/change-files.ts";
import { readJsonFile } from "./files/json-file.ts";
import { makeFolders } from "./files/make-folders.ts";
import { syncFolder } from "./files/with-file.ts";
import { holdHome } from "./home-lock.ts";
import { announceChange, announceSnapshot, durabilityOf } from "./served-homes.ts";

/** Where the new content comes from, and where the old one goes; each step says how far it got. */
interface Swap {
  home: string;
  fresh: string;
  aside: string;
}

type Phase = "unpack" | "out" | "in";

/** Of the program that runs now; the launcher may write the second at any moment. */
const stays = ["run", "cache", "homes"];
const database = "state.db";

/** The caller holds the home's lock. `unpack` fills the folder `fresh`. */
export async function swapHome(swap: Swap, unpack: () => Promise<unknown>): Promise<void> {
  await writeJournal(swap, "unpack");
  try {
    await unpack();
  } catch (error) {
    await giveUp(swap);
    throw error;
  }
  await writeJournal(swap, "out");
  await moveOut(swap);
}

/** After a death in the middle of a restore; waits for one that is under way. Nearly free when there was none. */
export async function finishSwap(home: string, signal?: AbortSignal): Promise<void> {
  if (!existsSync(journalOf(home))) return;
  const release = await holdHome({ home, clock: systemClock }, "restore", signal);
  try {
    const journal = await readJournal(home);
    if (journal === undefined) return;
    const { phase, ...swap } = journal;
    if (phase === "unpack") await giveUp(swap);
    else if (phase === "out") await moveOut(swap);
    else await moveIn(swap);
  } finally {
    release();
  }
}

async function moveOut(swap: Swap): Promise<void> {
  const { home, aside } = swap;
  makeFolders(aside, 0o700);
  for (const name of await listMoved(home)) moveAside(swap, name);
  await syncFolder(aside);
  await writeJournal(swap, "in");
  await moveIn(swap);
}

async function moveIn(swap: Swap): Promise<void> {
  const { home, fresh } = swap;
  for (const name of existsSync(fresh) ? await listMoved(fresh) : []) {
    // Made by another program in between: it belongs to what was there before.
    if (existsSync(join(home, name))) moveAside(swap, name);
    renameSync(join(fresh, name), join(home, name));
    announceChange(join(home, name));
    if (name === database) announceSnapshot(join(home, name));
  }
  await syncFolder(home);
  await giveUp(swap);
  await durabilityOf(home).commit();
}

function moveAside({ home, aside }: Swap, name: string): void {
  renameSync(join(home, name), findFree(join(aside, name)));
  announceChange(join(home, name));
}

async function giveUp({ home, fresh }: Swap): Promise<void> {
  await rm(fresh, { recursive: true, force: true });
  await removeFile(journalOf(home));
}

async function listMoved(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !stays.includes(name));
}

function findFree(path: string): string {
  let free = path;
  for (let number = 2; existsSync(free); number++) free = `${path}.${number}`;
  return free;
}

function journalOf(home: string): string {
  return join(home, "run", "restore.json");
}

async function writeJournal({ home, fresh, aside }: Swap, phase: Phase): Promise<void> {
  makeFolders(join(home, "run"), 0o700);
  await writeFileAtomic(journalOf(home), JSON.stringify({ phase, fresh, aside }), {
    mode: 0o600,
    commits: false,
  });
}

/** Only folders next to the home are accepted. */
async function readJournal(home: string): Promise<(Swap & { phase: Phase }) | undefined> {
  const file = await readJsonFile(journalOf(home));
  if (file.state !== "read") return undefined;
  const { phase, fresh, aside } = file.value;
  const isPhase = phase === "unpack" || phase === "out" || phase === "in";
  const isBeside = (path: unknown, start: string): path is string =>
    typeof path === "string" &&
    path.startsWith(`${home}.${start}-`) &&
    !path.slice(home.length).includes("/");
  if (!isPhase || !isBeside(fresh, "restored") || !isBeside(aside, "before")) return undefined;
  return { home, phase, fresh, aside };
}
