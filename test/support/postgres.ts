// A real PostgreSQL of Debian, for one test file: a cluster of its own in a temporary folder, on a socket in it. The server
// refuses to run as root, so it runs as the user that Debian made for it.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const installed = "/usr/lib/postgresql";

function findPrograms(): string | undefined {
  const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => join(installed, version, "bin"))
    .find((folder) => existsSync(join(folder, "initdb")));
}

const programs = findPrograms();

/** Where it is missing, its tests are skipped; never in CI. */
export const hasPostgres = programs !== undefined;

export interface Postgres {
  url: string;
  /** A database of its own. */
  createDatabase(): Promise<string>;
  /** Of a database by its URL; what it says as text. */
  ask(url: string, sql: string): string;
  /** At once: as after a crash, it recovers at the next start. */
  stop(how?: "at once"): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

function findUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const read = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: read("-u"), gid: read("-g") };
}

export interface PostgresOptions {
  /** It also listens there, on loopback. */
  port?: number;
  /** The port of the server that it follows, as a standby. */
  follows?: number;
}

export async function startPostgres({ port, follows }: PostgresOptions = {}): Promise<Postgres> {
  if (programs === undefined) throw new Error("PostgreSQL is not installed");
  const user = findUser();
  const folder = mkdtempSync(join(tmpdir(), "nb-pg-"));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const options = {
    ...user,
    cwd: folder,
    env: { PATH: process.env.PATH, LANG: "C.UTF-8" },
    stdio: "pipe" as const,
  };
  const [program, args] =
    follows === undefined
      ? ["initdb", ["-D", data, "-A", "trust", "-U", "nanobot", "-N", "-E", "UTF8"]]
      : [
          "pg_basebackup",
          ["-h", "127.0.0.1", "-p", `${follows}`, "-U", "nanobot", "-D", data, "-R", "-c", "fast"],
        ];
  execFileSync(join(programs, program as string), args as string[], options);
  const settings = [
    ...(port === undefined ? ["listen_addresses="] : ["listen_addresses=127.0.0.1", `port=${port}`]),
    `unix_socket_directories=${folder}`,
    "max_connections=80",
    "shared_buffers=16MB",
  ];
  const argv = ["-D", data, ...settings.flatMap((each) => ["-c", each])];
  let server: ReturnType<typeof spawn> | undefined;

  const ask = (sql: string, database = "postgres") =>
    execFileSync(
      join(programs, "psql"),
      ["-h", folder, "-p", String(port ?? 5432), "-U", "nanobot", "-d", database, "-qtc", sql],
      options,
    );

  async function start(): Promise<void> {
    const started = spawn(join(programs as string, "postgres"), argv, options);
    server = started;
    // Its first words on standard error come before it listens; the last of the start names it ready.
    for await (const chunk of started.stderr)
      if (/ready to accept (?:read-only )?connections/.test(String(chunk))) break;
    started.stderr.resume();
  }

  async function stop(how?: "at once"): Promise<void> {
    if (server === undefined || server.exitCode !== null) return;
    const ended = once(server, "exit");
    server.kill(how === "at once" ? "SIGQUIT" : "SIGINT");
    await ended;
    server = undefined;
  }

  await start();
  let count = 0;
  return {
    url: toUrl(folder, "postgres", port),
    async createDatabase() {
      const name = `test${++count}`;
      ask(`create database ${name}`);
      return toUrl(folder, name, port);
    },
    ask: (url, sql) =>
      ask(sql, url.slice(url.lastIndexOf("/") + 1))
        .toString()
        .trim(),
    start,
    stop,
    async remove() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function toUrl(folder: string, database: string, port: number | undefined): string {
  if (port !== undefined) return `postgresql://nanobot@127.0.0.1:${port}/${database}`;
  return `postgresql://nanobot@${encodeURIComponent(folder)}/${database}`;
}
