// The commands of deploy/compose.yml as processes: a database, three workers, and nginx with the configuration of deploy/. A page is
// read by its host name, also after the worker that has it died.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { eventually } from "../support/eventually.ts";
import { findFreePort } from "../support/free-port.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { createProgramHome, nanobot } from "../support/run-program.ts";
import { runProgram, startProgram } from "../support/start-program.ts";
import { hasSystemPart } from "../support/system-part.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const hasNginx = hasSystemPart(["/usr/sbin/nginx", "-v"], "nginx-light");

function get(port: number, host: string, path = "/") {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, headers: { host } }, (answer) => {
      let body = "";
      answer.setEncoding("utf8").on("data", (chunk) => (body += chunk));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    asked.on("error", reject).end();
  });
}

async function startNginx(workers: readonly number[]): Promise<number> {
  const [folder, port] = [await createTemporaryFolder(), await findFreePort()];
  const conf = workers.reduce(
    (text, worker, index) => text.replace(`worker${index + 1}:8080`, `127.0.0.1:${worker}`),
    readFileSync(packagePath("deploy/nginx.conf"), "utf8"),
  );
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const own = conf
    .replace("listen 80;", `listen 127.0.0.1:${port};`)
    .replace(
      "http {",
      `pid ${folder}/pid; error_log ${folder}/error.log;\nhttp {\naccess_log off; ${places.join(" ")}`,
    );
  mkdirSync(join(folder, "logs"));
  writeFileSync(join(folder, "nginx.conf"), own);
  const child = spawn(
    "/usr/sbin/nginx",
    ["-p", folder, "-c", join(folder, "nginx.conf"), "-g", "daemon off;"],
    {
      stdio: "ignore",
    },
  );
  onTestFinished(async () => {
    const ended = once(child, "exit");
    if (child.exitCode !== null || !child.kill("SIGTERM")) return;
    await ended;
  });
  return port;
}

describe.skipIf(!hasPostgres || !hasNginx)("three workers behind a reverse proxy", () => {
  it("serve a home by its host name, also after the one that has it died", async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.remove());
    const { env } = await createProgramHome();
    const url = await postgres.createDatabase();
    const all = { ...env, NANOBOT_CLUSTER_URL: url, NANOBOT_CLUSTER_KEY: "a key" };
    const run = (...argv: string[]) => runProgram(nanobot("cluster", ...argv, "--json"), { env: all });
    for (const argv of [["init"], ["homes", "add", "ann"], ["homes", "host", "ann", "ann.example.org"]])
      expect((await run(...argv)).code).toBe(0);
    const ports = [await findFreePort(), await findFreePort(), await findFreePort()];
    const workers = await Promise.all(
      ports.map(async (port, index) => {
        const folder = await createTemporaryFolder();
        const own = [
          "--name",
          `worker${index + 1}`,
          "--port",
          String(port),
          "--address",
          `http://127.0.0.1:${port}`,
        ];
        const program = startProgram(nanobot("cluster", "worker", ...own, "--folder", folder), { env: all });
        return { program, home: join(folder, "homes", "ann") };
      }),
    );
    const proxy = await startNginx(ports);
    const read = () =>
      get(proxy, "ann.example.org").then(
        ({ status, body }) => `${status} ${body.includes("<title>")}`,
        ({ code }) => code,
      );
    await eventually(read).toBe("200 true");
    expect((await get(proxy, "other.example.org")).status).toBe(404);
    expect((await get(proxy, "other.example.org", "/metrics")).status).toBe(404);
    const holder = workers.find(({ home }) => existsSync(home));
    holder?.program.kill("SIGKILL");
    await holder?.program.ended;
    await eventually(read).toBe("200 true");
    expect(
      workers.filter(({ home }) => existsSync(join(home, "run", "gateway.json"))).length,
    ).toBeGreaterThan(0);
  });
});
