// `nanobot web` and the greeting of the gateway: how a browser is let in, by the real program.
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import type { WebLink } from "../../src/api/gateway/gateway.ts";
import { phrase } from "../../src/i18n/phrase.ts";
import { sayInEnglish } from "../../src/i18n/words.ts";
import { packageRoot } from "../../src/lib/package-root.ts";
import { words } from "../support/english.ts";
import { findFreePort } from "../support/free-port.ts";
import { createProgramHome, nanobot, openInTerminal, type ProgramHome } from "../support/run-program.ts";
import { type Program, runProgram, startProgram } from "../support/start-program.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { itSays } from "../support/wording.ts";

async function startGateway({ env }: ProgramHome, port: number): Promise<Program> {
  const program = startProgram(nanobot("gateway", "--port", String(port)), { env });
  await program.waitFor(words.gateway.stopHint);
  return program;
}

const web = ({ env }: ProgramHome, ...argv: string[]) => runProgram(nanobot("web", ...argv), { env });

async function enter(link: string): Promise<Response> {
  const { origin, hash } = new URL(link);
  const body = JSON.stringify({ token: hash.slice("#token=".length) });
  return fetch(`${origin}/api/enter`, { method: "POST", body });
}

test("without a gateway there is no link, and the next step is told", async () => {
  const home = await createProgramHome();
  const { code, stdout, stderr } = await web(home);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(sayInEnglish(phrase("gateway.not-running")));
  expect(JSON.parse((await web(home, "--json")).stdout)).toHaveProperty("error");
});

test("a link lets one browser in, also after a restart; no file and no journal holds a token", async () => {
  const home = await createProgramHome();
  const port = await findFreePort();
  const first = await startGateway(home, port);
  const told = await web(home);
  const link = /http:\S+#token=[\w-]+/.exec(told.stdout)?.[0] ?? "";
  const token = link.split("#token=")[1] ?? "";
  expect(told.stdout).toContain(words.web.once);
  const entered = await enter(link);
  expect(entered.status).toBe(200);
  expect((await enter(link)).status).toBe(401);
  const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
  first.kill("SIGTERM");
  const { stdout, stderr } = await first.ended;
  expect(stdout + stderr).not.toContain("#token=");
  expect(stdout + stderr).toContain(words.web.hint);
  await startGateway(home, port);
  const me = await fetch(`http://127.0.0.1:${port}/api/me`, { headers: { cookie } });
  expect(await me.json()).toEqual({ viewer: { person: "owner", role: "owner" } });
  const kept = await Promise.all(
    ["logs/nanobot.log", "run/web-sessions.json"].map((file) =>
      readFile(join(home.home, file), "utf8").catch(() => ""),
    ),
  );
  expect(kept.join()).not.toContain(token);
  expect(kept.join()).not.toContain(cookie.split("=")[1]);
});

test("a guest has a link of their own, under a name that can be one", async () => {
  const home = await createProgramHome();
  await startGateway(home, 0);
  const { stdout } = await web(home, "--guest", "安娜", "--json");
  const link = JSON.parse(stdout) as WebLink;
  expect(link).toMatchObject({ person: "安娜", role: "guest" });
  expect(await (await enter(link.urls[0] ?? "")).json()).toEqual({
    viewer: { person: "安娜", role: "guest" },
  });
  expect((await web(home, "--sign-out", "--guest", "安娜")).stdout).toBe(`${words.web.signedOut(1)}\n`);
  expect(JSON.parse((await web(home, "--sign-out", "--json")).stdout)).toEqual({ ended: 0 });
  for (const name of ["owner", "../x", ""]) expect((await web(home, "--guest", name)).code).toBe(1);
});

test("a terminal shows the link at the start, and a fresh one when it is started a second time", async () => {
  const { env } = await createProgramHome();
  const terminal = openInTerminal(nanobot("gateway", "--port", "0"), { env });
  await terminal.waitFor(words.gateway.stopHint);
  const link = /http:\S+#token=[\w-]+/.exec(terminal.text())?.[0] ?? "";
  expect((await enter(link)).status).toBe(200);
  const second = openInTerminal(nanobot("gateway", "--port", "0"), { env });
  expect(await second.ended).toBe(1);
  const [fresh = ""] = /http:\S+#token=[\w-]+/.exec(second.text()) ?? [];
  expect(fresh).not.toBe(link);
  expect((await enter(fresh)).status).toBe(200);
});

test.skipIf(process.platform !== "linux")(
  "a browser is opened without showing the token to others",
  async () => {
    const home = await createProgramHome();
    const programs = join(home.home, "programs");
    await mkdir(programs);
    const opener = join(programs, "xdg-open");
    await writeFile(
      opener,
      `#!/bin/sh\necho "$@" > ${programs}/arguments\nstat -c %a "$1" > ${programs}/mode\n`,
    );
    await chmod(opener, 0o755);
    await startGateway(home, 0);
    const env = { ...home.env, PATH: programs + delimiter + home.env.PATH };
    const { code, stdout } = await web({ ...home, env }, "--open");
    expect(code).toBe(0);
    const link = /http:[^\s)]+/.exec(stdout)?.[0] ?? "";
    const [file = ""] = (await readFile(join(programs, "arguments"), "utf8")).trim().split(" ");
    expect(file).not.toContain("token");
    expect(await readFile(file, "utf8")).toContain(`url=${link}"`);
    expect((await readFile(join(programs, "mode"), "utf8")).trim()).toBe("600");
  },
);

itSays(
  "texts name the command that works here: npx in a checkout, the program's name where that leads to it",
  async () => {
    const { env } = await createProgramHome();
    const folder = await createTemporaryFolder();
    const web = (PATH: string) => runProgram(nanobot("web"), { env: { ...env, PATH }, cwd: packageRoot });
    expect((await web("/usr/bin:/bin")).stderr).toContain("Start it with: npx nanobot gateway");
    await symlink(join(packageRoot, "bin/nanobot.mjs"), join(folder, "nanobot"));
    expect((await web(`${folder}:/usr/bin:/bin`)).stderr).toContain("Start it with: nanobot gateway");
  },
);

test("a terminal shows the link for other devices as a code as well, a pipe does not", async () => {
  const publicUrl = "https://bot.example.com";
  const home = await createProgramHome({ gateway: { publicUrl } });
  await startGateway(home, 0);
  const terminal = openInTerminal(nanobot("web"), { env: home.env });
  expect(await terminal.ended).toBe(0);
  expect(terminal.text()).toContain(`${publicUrl}/#token=`);
  expect(terminal.text()).toMatch(/[▀▄█]{3}/);
  expect((await web(home)).stdout).not.toMatch(/[▀▄█]/);
});

test("a browser can ask for a link only where a terminal is seen, and a few times a minute", async () => {
  const home = await createProgramHome();
  const ask = (url: string) => fetch(`${url}/api/link`, { method: "POST" });
  const terminal = openInTerminal(nanobot("gateway", "--port", "0"), { env: home.env });
  await terminal.waitFor(words.gateway.stopHint);
  const { url } = JSON.parse(await readFile(join(home.home, "run", "gateway.json"), "utf8"));
  const foreign = { method: "POST", headers: { origin: "https://other.example" } };
  expect((await fetch(`${url}/api/link`, foreign)).status).toBe(403);
  const statuses = [];
  for (let count = 0; count < 4; count++) statuses.push((await ask(url)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const port = await findFreePort();
  await startGateway(await createProgramHome(), port);
  expect((await ask(`http://127.0.0.1:${port}`)).status).toBe(404);
});
