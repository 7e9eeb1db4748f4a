// A small disk that can be filled and emptied: a tmpfs in a mount namespace of its own, which a process keeps open.
// Programs are started inside of it; from outside its files are seen through that process.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const megabytes = 32;
const line = `mount -t tmpfs -o size=${megabytes}m tmpfs "$1" && echo ready && exec sleep infinity`;

export class SmallDisk {
  /** For programs that run inside. */
  readonly path: string;
  readonly #keeper: ChildProcess;

  private constructor(path: string, keeper: ChildProcess) {
    this.path = path;
    this.#keeper = keeper;
  }

  static async mount(): Promise<SmallDisk> {
    const path = await mkdtemp(join(tmpdir(), "nanobot-disk-"));
    const keeper = spawn("unshare", ["-Urm", "sh", "-c", line, "sh", path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [told] = await Promise.race([once(keeper.stdout, "data"), once(keeper, "exit")]);
    if (!String(told).includes("ready")) throw new Error("no small disk could be mounted");
    return new SmallDisk(path, keeper);
  }

  /** The same place, for this process. */
  seenFromOutside(path: string): string {
    return `/proc/${this.#keeper.pid}/root${path}`;
  }

  /** A command line that runs another one inside. */
  enter(argv: string[]): string[] {
    return ["nsenter", "-t", String(this.#keeper.pid), "-U", "-m", "--preserve-credentials", ...argv];
  }

  async mountInside(...argv: string[]): Promise<void> {
    const [file = "", ...rest] = this.enter(["mount", ...argv]);
    const [code] = await once(spawn(file, rest, { stdio: ["ignore", "ignore", "inherit"] }), "exit");
    if (code !== 0) throw new Error(`mount ${argv.join(" ")} ended with ${code}`);
  }

  /** To the last byte; of another one where a folder of it is named. */
  async fill(folder = this.path): Promise<void> {
    const file = await open(this.#filler(folder), "a");
    try {
      for (const size of [1024 * 1024, 4096, 1]) await writeUntilFull(() => file.write(Buffer.alloc(size)));
    } finally {
      await file.close();
    }
  }

  clear(folder = this.path): Promise<void> {
    return rm(this.#filler(folder), { force: true });
  }

  async unmount(): Promise<void> {
    const ended = once(this.#keeper, "exit");
    this.#keeper.kill("SIGKILL");
    await ended;
    await rmdir(this.path);
  }

  #filler(folder: string): string {
    return this.seenFromOutside(join(folder, "filler"));
  }
}

async function writeUntilFull(write: () => Promise<unknown>): Promise<void> {
  try {
    for (;;) await write();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
