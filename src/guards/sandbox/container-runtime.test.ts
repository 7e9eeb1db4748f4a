// With a program in place of podman that writes down what it is told and runs the command in bubblewrap, with the same binds.
// Not tried with a real container runtime.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSandboxedShell, hasBubblewrap } from "../../../test/support/sandboxed-shell.ts";
import { runProgram } from "../../../test/support/start-program.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { packagePath } from "../../lib/package-root.ts";
import { createSandbox } from "./sandbox.ts";

const isHere = hasBubblewrap();
const image = "image-of-test";

/** Parses as much of the command line of `podman run` as bubblewrap needs. */
const standIn = `
const { appendFileSync, existsSync } = require("node:fs");
const { spawnSync } = require("node:child_process");
const args = process.argv.slice(2);
appendFileSync(__filename + ".log", JSON.stringify(args) + "\\n");
if (args[0] !== "run") process.exit(0);
const at = args.indexOf(${JSON.stringify(image)});
const valuesOf = (name) => args.slice(0, at).flatMap((arg, index) => (arg === name ? [args[index + 1]] : []));
const [workdir] = valuesOf("--workdir");
const binds = valuesOf("--mount").flatMap((text) => {
  const fields = Object.fromEntries(text.split(",").map((field) => field.split("=")));
  return ["readonly" in fields ? "--ro-bind" : "--bind", fields.source, fields.target];
});
const system = ["/usr", "/bin", "/sbin", "/lib", "/lib64"].filter(existsSync).flatMap((path) => ["--ro-bind", path, path]);
const { status } = spawnSync(process.env.BWRAP, [
  ...system,
  ...["--proc", "/proc", "--dev", "/dev", "--clearenv", "--setenv", "PATH", "/usr/bin:/bin"],
  ...valuesOf("--env").map((text) => text.split("=")).flatMap(([name, value = process.env[name]]) => ["--setenv", name, value]),
  ...valuesOf("--tmpfs").flatMap((path) => ["--tmpfs", path]),
  ...binds,
  ...(valuesOf("--network")[0] === "none" ? ["--unshare-net"] : []),
  ...["--chdir", workdir, "--", ...args.slice(at + 1)],
], { stdio: "inherit" });
process.exit(status ?? 1);`;

async function createRuntime() {
  const folder = await createTemporaryFolder();
  const bwrap = (process.env.PATH ?? "").split(delimiter).map((path) => join(path, "bwrap"));
  const program = join(folder, "podman");
  const code = standIn.replace("process.env.BWRAP", `${JSON.stringify(bwrap)}.find(existsSync)`);
  writeFileSync(program, `#!${process.execPath}\n${code}`, { mode: 0o700 });
  const calls = () =>
    readFileSync(`${program}.log`, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as string[]);
  const runFolder = join(folder, "run");
  return { calls, runFolder, sandbox: { path: folder, runtime: { program: "podman", image }, runFolder } };
}

describe.runIf(isHere)("a container runtime that the owner names", () => {
  it("contains commands where there is no other sandbox", async () => {
    const { calls, sandbox } = await createRuntime();
    const shell = await createSandboxedShell({
      sandbox,
      files: { ".nanobot/workspace/SOUL.md": "kind" },
      places: { promptFiles: ["SOUL.md"] },
    });
    expect(shell.sandbox.state()).toEqual({ isContained: true, name: "runtime" });
    const output = await shell.run(
      "cat note.md; echo x > new.md; echo evil > SOUL.md; cat ~/.ssh/id_rsa ../config.json; pwd",
    );
    expect(output).toContain("早上好");
    expect(output).toContain(shell.workspace);
    expect(output).not.toContain("canary");
    expect(readFileSync(join(shell.workspace, "new.md"), "utf8")).toBe("x\n");
    expect(readFileSync(join(shell.workspace, "SOUL.md"), "utf8")).toBe("kind");
    const [line = [], removal = []] = calls().slice(-2);
    const name = line[line.indexOf("--name") + 1];
    expect(removal).toEqual(["rm", "--force", name]);
    for (const words of [
      "--network none",
      "--cap-drop ALL",
      "--read-only",
      "--pull never",
      "no-new-privileges",
    ])
      expect(line.join(" ")).toContain(words);
  });

  it("cannot grant single hosts, and says so", async () => {
    const { sandbox } = await createRuntime();
    const shell = await createSandboxedShell({ sandbox });
    await expect(shell.run("true", { network: ["a.example"] })).rejects.toThrow(/cannot grant single hosts/);
  });

  it("removes containers that a killed process left", async () => {
    const { calls, runFolder, sandbox } = await createRuntime();
    mkdirSync(runFolder);
    const script = `
      import { RunRecord } from ${JSON.stringify(packagePath("src/guards/sandbox/run-records.ts"))};
      new RunRecord(${JSON.stringify(runFolder)}, "containers").write(["nanobot-left"]);
      process.kill(process.pid, "SIGKILL");`;
    await runProgram([process.execPath, "--input-type=module", "-e", script]);
    const places = async () => ({ places: [], writable: [], release() {} });
    const created = createSandbox({ mode: "auto", places, userFolder: "/", ...sandbox });
    expect(created.isContained()).toBe(true);
    await expect.poll(() => calls().map((call) => call.join(" "))).toContain("rm --force nanobot-left");
  });

  it("that does not work is named", async () => {
    const places = async () => ({ places: [], writable: [], release() {} });
    const runtime = { program: "no-such-runtime", image };
    const created = createSandbox({ mode: "auto", places, userFolder: "/", path: "/nowhere", runtime });
    expect(created.state()).toEqual({
      isContained: false,
      reason: "runtime",
      detail: "no-such-runtime: not found",
    });
  });
});
