import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keys, openInTerminal } from "./support/run-program.ts";
import { runProgram, startProgram } from "./support/start-program.ts";

const project = join(import.meta.dirname, "..");
let root = "";
let launcher = "";

/** A copy of the launcher in a separate package, so that the test chooses what is next to it. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "nanobot-launcher-"));
  launcher = join(root, "bin/nanobot.mjs");
  cpSync(join(project, "bin/nanobot.mjs"), launcher);
  write("package.json", '{ "name": "nanobot", "version": "1.2.3", "type": "module" }\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function writeProgram(...lines: string[]): void {
  const body = lines.join("\n");
  write("dist/main.cjs", `(function (exports) { exports.main = async (argv) => {\n${body}\n}; })`);
}

function installNewerNode(): void {
  mkdirSync(join(root, "node_modules/node/bin"), { recursive: true });
  symlinkSync(process.execPath, join(root, "node_modules/node/bin/node"));
}

/** A Node that is really too old where this machine has one; otherwise this one, made to say so in its own process only. */
function oldNode(): string[] {
  for (const path of ["/usr/local/bin/node", "/usr/bin/node"]) {
    if (existsSync(path) && isTooOld(execFileSync(path, ["--version"], { encoding: "utf8" }))) return [path];
  }
  const versions =
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.0.0" } });';
  write("older.mjs", versions);
  return [process.execPath, "--import", join(root, "older.mjs")];
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.slice(1).split(".").map(Number);
  return major < 22 || (major === 22 && minor < 18);
}

const sentence = (text: string) => expect.stringMatching(new RegExp(`^${text}[^\n]*\n$`));

describe("the launcher", () => {
  test.each(["--version", "-v"])("answers %s from package.json without loading the program", async (flag) => {
    write("dist/main.cjs", 'throw new Error("loaded");\n');
    expect(await runProgram([process.execPath, launcher, flag])).toMatchObject({
      code: 0,
      stdout: "1.2.3\n",
      stderr: "",
    });
  });

  test("starts in a folder that was removed meanwhile", async () => {
    writeProgram("process.stdout.write(process.cwd());");
    write("gone/file", "");
    const line = 'cd "$1" && rm -r "$1" && exec "$2" "$3" status';
    const argv = ["sh", "-c", line, "sh", join(root, "gone"), process.execPath, launcher];
    expect(await runProgram(argv)).toMatchObject({ code: 0, stdout: "/", stderr: "" });
  });

  test("says in one line what to do when nothing is built", async () => {
    expect(await runProgram([process.execPath, launcher, "status"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "nanobot is not built yet. Run: npm run build\n",
    });
  });

  test("hands the command line to the program and leaves the exit code to it", async () => {
    writeProgram("console.log(JSON.stringify(argv.slice(2)));", "process.exitCode = 7;");
    expect(await runProgram([process.execPath, launcher, "agent", "-m", "你好 there"])).toMatchObject({
      code: 7,
      stdout: '["agent","-m","你好 there"]\n',
    });
  });
});

describe("what the launcher keeps of a program that was compiled", () => {
  const place = () => join(root, "home/cache/program-agent.bin");
  const run = () =>
    runProgram([process.execPath, launcher, "agent"], { env: { NANOBOT_HOME: join(root, "home") } });

  test("is private, and is used as long as the program is the same", async () => {
    mkdirSync(join(root, "home"));
    writeProgram("console.log('one');");
    expect(await run()).toMatchObject({ code: 0, stdout: "one\n", stderr: "" });
    const { mtimeMs, mode } = statSync(place());
    expect(mode & 0o777).toBe(0o600);
    expect(await run()).toMatchObject({ stdout: "one\n" });
    expect(statSync(place()).mtimeMs).toBe(mtimeMs);
    writeProgram("console.log('two');");
    expect(await run()).toMatchObject({ stdout: "two\n" });
    expect(await run()).toMatchObject({ stdout: "two\n" });
  });

  test("is made again where it is damaged", async () => {
    mkdirSync(join(root, "home"));
    writeProgram("console.log('one');");
    await run();
    const whole = readFileSync(place());
    for (const damaged of [whole.subarray(0, 100), Buffer.alloc(0), Buffer.from(whole).fill(7, 120)]) {
      writeFileSync(place(), damaged);
      expect(await run()).toMatchObject({ code: 0, stdout: "one\n", stderr: "" });
      expect(readFileSync(place()).length).toBe(whole.length);
    }
  });

  test("is done without where it can be neither read nor written", async () => {
    writeProgram("console.log('one');");
    const home = join(root, "home");
    const inCache = (place: (folder: string) => void) => () => {
      mkdirSync(join(home, "cache"));
      place(join(home, "cache"));
    };
    const obstacles = [
      inCache((folder) => mkdirSync(join(folder, "program-agent.bin"))),
      inCache((folder) => symlinkSync("program-agent.bin", join(folder, "program-agent.bin"))),
      () => writeFileSync(join(home, "cache"), "a file"),
      () => symlinkSync("cache", join(home, "cache")),
    ];
    for (const obstruct of obstacles) {
      rmSync(home, { recursive: true, force: true });
      mkdirSync(home);
      obstruct();
      for (let start = 0; start < 2; start += 1)
        expect(await run()).toMatchObject({ code: 0, stdout: "one\n", stderr: "" });
    }
  });
});

test.runIf(existsSync(join(project, "dist/main.cjs")))(
  "what the launcher keeps of the real program serves the next start, whatever it set in the engine",
  async () => {
    const home = join(root, "home");
    mkdirSync(home);
    const argv = [process.execPath, join(project, "bin/nanobot.mjs"), "agent", "-m", "hello"];
    const ask = async () => {
      expect(await runProgram(argv, { env: { NANOBOT_HOME: home, HOME: home } })).toMatchObject({ code: 0 });
      return statSync(join(home, "cache/program-agent.bin")).ino;
    };
    const first = await ask();
    expect([await ask(), await ask()]).toEqual([first, first]);
  },
);

test("npm start passes SIGTERM on, and the program drains", async () => {
  writeProgram(
    "const open = setInterval(() => {}, 1000);",
    'process.on("SIGTERM", () => { console.log("drained"); clearInterval(open); });',
    'console.log("ready");',
  );
  const { scripts } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  write(
    "package.json",
    JSON.stringify({ name: "nanobot", version: "1.2.3", scripts: { start: scripts.start } }),
  );
  const program = startProgram(["npm", "start"], { cwd: root, ownGroup: true });
  await program.waitFor("ready");
  program.kill("SIGTERM");
  expect((await program.ended).stdout).toContain("drained");
});

describe("on a Node that is too old, the launcher", () => {
  test("runs the program on the one installed next to it, with its arguments, input and exit code", async () => {
    installNewerNode();
    writeProgram(
      "let input = '';",
      "for await (const chunk of process.stdin) input += chunk;",
      "console.log(process.versions.node, argv[2], input);",
      "process.exitCode = 5;",
    );
    expect(await runProgram([...oldNode(), launcher, "status"], { input: "typed" })).toMatchObject({
      code: 5,
      stdout: `${process.versions.node} status typed\n`,
      stderr: "",
    });
  });

  test("answers --version there as well", async () => {
    installNewerNode();
    expect(await runProgram([...oldNode(), launcher, "--version"])).toMatchObject({
      code: 0,
      stdout: "1.2.3\n",
    });
  });

  test.each(["SIGTERM", "SIGHUP"] as const)(
    "passes %s on and waits until the program has drained",
    async (signal) => {
      installNewerNode();
      writeProgram(
        "const open = setInterval(() => {}, 1000);",
        `process.on("${signal}", () => { console.log("drained"); clearInterval(open); process.exitCode = 3; });`,
        'console.log("ready");',
      );
      const program = startProgram([...oldNode(), launcher]);
      await program.waitFor("ready");
      program.kill(signal);
      expect(await program.ended).toMatchObject({ code: 3, signal: null, stdout: "ready\ndrained\n" });
    },
  );

  test("lets a Ctrl-C of the terminal reach the program exactly once, and does not end before it", async () => {
    installNewerNode();
    writeProgram(
      "let interrupts = 0;",
      "const open = setInterval(() => {}, 1000);",
      'process.on("SIGINT", () => console.log("interrupt", ++interrupts));',
      'process.on("SIGTERM", () => { clearInterval(open); process.exitCode = 130; });',
      'console.log("ready");',
    );
    const program = openInTerminal([...oldNode(), launcher], { env: process.env });
    await program.waitFor("ready");
    program.type(keys.ctrlC);
    await program.waitFor("interrupt 1");
    process.kill(program.pid, "SIGTERM");
    expect(await program.ended).toBe(130);
    expect(program.text()).not.toContain("interrupt 2");
  });

  test("passes SIGINT on where no terminal does", async () => {
    installNewerNode();
    writeProgram(
      "const open = setInterval(() => {}, 1000);",
      'process.on("SIGINT", () => { console.log("interrupt"); clearInterval(open); process.exitCode = 130; });',
      'console.log("ready");',
    );
    const program = startProgram([...oldNode(), launcher]);
    await program.waitFor("ready");
    program.kill("SIGINT");
    expect(await program.ended).toMatchObject({ code: 130, stdout: "ready\ninterrupt\n" });
  });

  test("ends by the signal that ended the program", async () => {
    installNewerNode();
    writeProgram('process.kill(process.pid, "SIGKILL");', "setInterval(() => {}, 1000);");
    expect(await runProgram([...oldNode(), launcher])).toMatchObject({ code: null, signal: "SIGKILL" });
  });

  test("says in one line what is needed when there is no other", async () => {
    writeProgram('console.log("loaded");');
    expect(await runProgram([...oldNode(), launcher])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: sentence("nanobot needs Node 22\\.18 or newer; this is "),
    });
  });
});

test("prints no advice of Node for the authors of libraries", async () => {
  writeProgram('process.emitWarning("use another function", "DeprecationWarning", "DEP0040");');
  expect(await runProgram([process.execPath, launcher])).toMatchObject({ code: 0, stderr: "" });
});

describe("the compile cache", () => {
  const env = (more: NodeJS.ProcessEnv) => ({ ...process.env, HOME: root, ...more });

  test.each([
    ["the home in NANOBOT_HOME", [], { NANOBOT_HOME: "HOME_FOLDER" }],
    ["the folder of --config F", ["--config", "HOME_FOLDER/config.json"], {}],
    ["the folder of --config=F", ["--config=HOME_FOLDER/config.json"], {}],
    ["the folder of -c F", ["-c", "HOME_FOLDER/config.json"], {}],
  ] as Array<[string, string[], NodeJS.ProcessEnv]>)(
    "lies in %s, for its owner only",
    async (_name, argv, more) => {
      writeProgram("");
      const home = join(root, "some-home");
      mkdirSync(home);
      const place = (text: string) => text.replace("HOME_FOLDER", home);
      const named = Object.fromEntries(Object.entries(more).map(([key, value]) => [key, place(value ?? "")]));
      await runProgram([process.execPath, launcher, ...argv.map(place)], { env: env(named) });
      expect(statSync(join(home, "cache")).mode & 0o777).toBe(0o700);
      expect(readdirSync(join(home, "cache"))).not.toEqual([]);
    },
  );

  test("is in ~/.nanobot by default", async () => {
    writeProgram("");
    mkdirSync(join(root, ".nanobot"));
    await runProgram([process.execPath, launcher], { env: env({}) });
    expect(statSync(join(root, ".nanobot/cache")).mode & 0o777).toBe(0o700);
  });

  test("does not make a home that is not there", async () => {
    writeProgram('console.log("ran");');
    expect(await runProgram([process.execPath, launcher], { env: env({}) })).toMatchObject({
      code: 0,
      stdout: "ran\n",
    });
    expect(existsSync(join(root, ".nanobot"))).toBe(false);
  });

  test("is done without where the home cannot take it", async () => {
    writeProgram('console.log("ran");');
    write(".nanobot/cache", "a file where the folder should be");
    expect(await runProgram([process.execPath, launcher], { env: env({}) })).toMatchObject({
      code: 0,
      stdout: "ran\n",
      stderr: "",
    });
  });
});
