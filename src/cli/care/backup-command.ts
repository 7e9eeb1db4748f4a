// `nanobot backup` and `nanobot restore`: a home to one file and back. A replaced home is kept next to it.
import { readdir, rmdir, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { findGateway } from "../../api/gateway/gateway-file.ts";
import type { Words } from "../../i18n/words.ts";
import { systemClock, toLocalIso } from "../../lib/clock.ts";
import { removeLeftovers } from "../../storage/backup-leftovers.ts";
import { ignoreMissing } from "../../storage/files/plain-file.ts";
import { resolveHome } from "../../storage/home.ts";
import { holdHome } from "../../storage/home-lock.ts";
import { swapHome } from "../../storage/swap-home.ts";
import type { BackupOptions, RestoreOptions } from "../command-line/options.ts";
import { confirm } from "../terminal/confirm.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { printReport } from "../terminal/report.ts";
import type { CommandContext } from "../terminal/terminal.ts";
import { BackupError, checkBackup, unpackBackup, writeBackup } from "./backup.ts";

export async function runBackup(
  options: BackupOptions,
  { terminal, signal }: CommandContext,
): Promise<number> {
  const { words, env } = terminal;
  const { home } = resolveHome({ env, configPath: options.config });
  const target = resolve(options.file ?? `nanobot-${stamp()}.tar.gz`);
  if ((await readdir(home).catch(ignoreMissing)) === undefined)
    throw new CommandFailure(words.care.noHome(home));
  if ((await stat(target).catch(ignoreMissing)) !== undefined)
    throw new CommandFailure(words.care.taken(target));
  await removeLeftovers(home);
  const result = await writeBackup(home, target, signal);
  const { files, bytes, left } = result;
  const megabytes = (bytes / 1024 / 1024).toFixed(1);
  const lines = [words.care.backedUp(target, files, megabytes), ...left.map(words.care.leftOut)];
  return printReport({ json: result, text: lines.join("\n") }, options, terminal);
}

export async function runRestore(
  options: RestoreOptions,
  { terminal, signal }: CommandContext,
): Promise<number> {
  const { words, stdout, env } = terminal;
  const paths = resolveHome({ env, configPath: options.config });
  const { home } = paths;
  await refuseGateway(paths.run, words);
  const path = resolve(options.file);
  const count = await check(path, words);
  const isThere = ((await readdir(home).catch(ignoreMissing)) ?? []).length > 0;
  const text = isThere ? words.care.askReplace(home, count) : words.care.askRestore(home, count);
  if (!(await confirm({ text, isAnswered: options.yes === true }, { terminal, signal })))
    throw new CommandFailure(words.care.notRestored);
  // Before the lock makes anything there.
  const [fresh, aside] = [`${home}.restored-${stamp()}`, `${home}.before-${stamp()}`];
  const release = await holdHome({ home, clock: systemClock }, "restore", signal);
  try {
    // It may have been started while the question was open.
    await refuseGateway(paths.run, words);
    await swapHome({ home, fresh, aside }, () => unpackBackup(path, fresh));
  } finally {
    release();
  }
  if (!isThere) await rmdir(aside);
  stdout.write(`${words.care.restored(home, count)}\n`);
  if (isThere) stdout.write(`${words.care.keptAside(aside)}\n`);
  return 0;
}

async function refuseGateway(run: string, words: Words): Promise<void> {
  const gateway = await findGateway(run);
  if (gateway !== undefined) throw new CommandFailure(words.gateway.isRunning(gateway.pid, gateway.url));
}

async function check(path: string, { care }: Words): Promise<number> {
  try {
    return await checkBackup(path);
  } catch (error) {
    if (error instanceof BackupError) throw new CommandFailure(care.notWhole(path));
    throw error;
  }
}

function stamp(): string {
  return toLocalIso(systemClock.now()).slice(0, 19).replaceAll(/[:T]/g, "-");
}
