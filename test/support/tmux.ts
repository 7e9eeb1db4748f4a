// The real program in a real terminal emulator (tmux): what a person would see on the screen and above it. Waits for what
// is shown, never for time.
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { hasKeys } from "./english.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

export interface TmuxProgram {
  /** What is on the screen now, a line each. */
  screen(): Promise<string>;
  /** The same with everything above it, as the terminal keeps it; wrapped lines are one. */
  everything(): Promise<string>;
  /** With colours and weights. */
  styled(): Promise<string>;
  /** Where the terminal's own cursor stands, from 0. */
  cursor(): Promise<{ column: number; row: number }>;
  type(text: string): Promise<void>;
  /** Names of keys as tmux knows them, such as `Enter` or `C-c`. */
  press(...keys: string[]): Promise<void>;
  /** As a terminal pastes: marked as such where the program asked for it. */
  paste(text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** Until the screen, with what is above it, holds the text or is like this. */
  waitFor(wanted: string | ((shown: string) => boolean)): Promise<void>;
  /** Until the program has ended, with its exit code. */
  waitForEnd(): Promise<number>;
}

/** Keys are longer than sentences, and a test looks for them in one line. */
const usualColumns = hasKeys ? 400 : 80;

export interface TmuxOptions {
  env: NodeJS.ProcessEnv;
  cwd?: string;
  columns?: number;
  rows?: number;
}

const run = promisify(execFile);
/** Each look is a process. */
const lookEveryMs = 100;

/** Never outlives its test. */
export async function openInTmux(
  argv: string[],
  { env, cwd, columns = usualColumns, rows = 24 }: TmuxOptions,
): Promise<TmuxProgram> {
  const socket = join(await createTemporaryFolder(), "tmux.sock");
  let isOver = false;
  const tmux = async (...words: string[]): Promise<string> =>
    (await run("tmux", ["-S", socket, "-f", "/dev/null", ...words])).stdout;
  const variables = Object.entries({ ...env, TERM: env.TERM === "dumb" ? "dumb" : "tmux-256color" }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const command = ["env", "-i", ...variables, ...argv].map(quote).join(" ");
  onTestFinished(async () => {
    isOver = true;
    // All that runs in the pane is gone before its folders are.
    const leader = Number(await tmux("display-message", "-p", "#{pane_pid}"));
    await tmux("kill-server");
    while (endSession(leader)) await pause(lookEveryMs);
  });
  const size = ["-x", String(columns), "-y", String(rows)];
  const folder = cwd === undefined ? [] : ["-c", cwd];
  // The shell stays, so that what was shown can still be looked at.
  await tmux("new-session", "-d", ...size, ...folder, `${command}; echo "[ended $?]"; exec cat`);

  const capture = (...options: string[]) => tmux("capture-pane", "-p", ...options);
  const everything = () => capture("-J", "-S", "-");

  async function waitFor(wanted: string | ((shown: string) => boolean)): Promise<void> {
    const isThere = typeof wanted === "string" ? (shown: string) => shown.includes(wanted) : wanted;
    let shown = "";
    while (!isOver) {
      shown = await everything();
      if (isThere(shown)) return;
      if (/\[ended \d+\]/.test(shown))
        throw new Error(`it ended, and this was never shown: ${wanted}\n${shown}`);
      await pause(lookEveryMs);
    }
    throw new Error(`this was never shown: ${wanted}\n${shown}`);
  }

  return {
    screen: () => capture(),
    everything,
    styled: () => capture("-e", "-S", "-"),
    async cursor() {
      const [column = 0, row = 0] = (await tmux("display-message", "-p", "#{cursor_x} #{cursor_y}"))
        .trim()
        .split(" ")
        .map(Number);
      return { column, row };
    },
    type: async (text) => void (await tmux("send-keys", "-l", "--", text)),
    press: async (...keys) => void (await tmux("send-keys", ...keys)),
    async paste(text) {
      const child = run("tmux", ["-S", socket, "load-buffer", "-"]);
      child.child.stdin?.end(text);
      await child;
      await tmux("paste-buffer", "-p");
    },
    resize: async (width, height) =>
      void (await tmux("resize-window", "-x", String(width), "-y", String(height))),
    waitFor,
    async waitForEnd() {
      let code: number | undefined;
      await waitFor((shown) => {
        const [, found] = /\[ended (\d+)\]/.exec(shown) ?? [];
        code = found === undefined ? undefined : Number(found);
        return code !== undefined;
      });
      return code ?? -1;
    },
  };
}

/** Of a shell and all that it has started, also jobs in groups of their own. Whether there was anything to end. */
function endSession(leader: number): boolean {
  const ended = listSession(leader).map(end);
  return ended.includes(true);
}

function end(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    return false;
  }
}

/** What has ended and only waits to be reaped by the system, which may take seconds, is not counted. */
function listSession(leader: number): number[] {
  // Elsewhere than on Linux the group of the shell has to do.
  if (!existsSync("/proc/self/stat")) return [-leader];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const status = readStatus(pid);
      const [state, , , session] = status.slice(status.lastIndexOf(")") + 2).split(" ");
      return Number(session) === leader && state !== "Z";
    })
    .map(Number);
}

function readStatus(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return "";
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
