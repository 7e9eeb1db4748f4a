#!/usr/bin/env node
// The launcher: runs on any Node, so it has no static imports (they would be loaded before the version guard).
// It answers --version, hands over to a newer Node if one is installed next to it, and loads the program.

const root = new URL("../", import.meta.url);
const [major, minor] = process.versions.node.split(".").map(Number);
const isNodeTooOld = major < 22 || (major === 22 && minor < 18);
const argv = process.argv.slice(2);
// A cache never takes the last room of a disk, which messages need.
const leastFree = 64 * 1024 * 1024;

if (isNodeTooOld) await handOver();
else if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-v")) await printVersion();
else await openProgram();

async function handOver() {
  const { existsSync } = await import("node:fs");
  const { fileURLToPath } = await import("node:url");
  const executable = process.platform === "win32" ? "node.exe" : "node";
  const newer = fileURLToPath(new URL(`node_modules/node/bin/${executable}`, root));
  if (!existsSync(newer)) {
    return fail(
      `nanobot needs Node 22.18 or newer; this is ${process.versions.node}. Install it from nodejs.org.`,
    );
  }
  const { spawn } = await import("node:child_process");
  const { isatty } = await import("node:tty");
  const child = spawn(newer, [fileURLToPath(import.meta.url), ...argv], { stdio: "inherit" });
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // Ctrl-C reaches the child on its own, from the terminal, and must reach it only once: a second one means "at once".
  const hasTerminal = [0, 1, 2].some((stream) => isatty(stream));
  process.on("SIGINT", () => hasTerminal || child.kill("SIGINT"));
  child.on("error", (error) => fail(`nanobot could not start ${newer}: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

async function printVersion() {
  const { readFileSync } = await import("node:fs");
  const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  process.stdout.write(`${version}\n`);
}

async function openProgram() {
  const { existsSync } = process.getBuiltinModule("node:fs");
  const { fileURLToPath } = process.getBuiltinModule("node:url");
  const path = fileURLToPath(new URL("dist/main.cjs", root));
  if (!existsSync(path)) return fail("nanobot is not built yet. Run: npm run build");
  leaveGoneFolder();
  const cache = openCache(existsSync);
  // Advice for the authors of libraries. Node shows it for those in dist/vendor, as if they were a program's own code.
  process.noDeprecation = true;
  const { main } = loadProgram(path, cache);
  await main(process.argv);
}

// Someone removed the folder of the shell that we are started from. Only what is relative to it cannot be found.
function leaveGoneFolder() {
  try {
    process.cwd();
  } catch {
    process.chdir("/");
  }
}

// The cache lives in the private home, never in the shared temp folder; a home that is not there yet is not made.
function openCache(existsSync) {
  const { homedir } = process.getBuiltinModule("node:os");
  const { dirname, join } = process.getBuiltinModule("node:path");
  const config = findConfigFlag();
  const home = config ? dirname(config) : process.env.NANOBOT_HOME || join(homedir(), ".nanobot");
  if (!existsSync(home)) return undefined;
  const folder = join(home, "cache");
  try {
    const { mkdirSync, statfsSync } = process.getBuiltinModule("node:fs");
    const { bavail, bsize } = statfsSync(home);
    if (bavail * bsize < leastFree) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    process.getBuiltinModule("node:module").enableCompileCache(folder);
    return folder;
  } catch {
    // A read-only home only means a slower start.
    return undefined;
  }
}

// With the code of all functions that an earlier start of the same command has needed: Node's own cache has only that of
// the outermost ones, and to compile the others again takes a third of the start.
function loadProgram(path, cache) {
  const { readFileSync, statSync } = process.getBuiltinModule("node:fs");
  const { createRequire } = process.getBuiltinModule("node:module");
  const { pathToFileURL } = process.getBuiltinModule("node:url");
  const { Script, constants } = process.getBuiltinModule("node:vm");
  // Not when it was written: npm gives every file of a package the same day.
  const { ino, size, ctimeMs } = statSync(path);
  const stamp = `${process.version} ${ino} ${size} ${ctimeMs}`;
  const place = cache && `${cache}/program-${nameStart(cache)}.bin`;
  const cachedData = place && readCompiled(place, stamp);
  leaveOutWarning("vm.USE_MAIN_CONTEXT_DEFAULT_LOADER");
  const script = new Script(readFileSync(path, "utf8"), {
    filename: path,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} };
  if (place && script.cachedDataRejected !== false)
    keepCompiled(script, { place, stamp, onKept: () => module.exports.limitEngine?.() });
  script.runInThisContext()(module.exports, createRequire(path), module, pathToFileURL(path).href);
  return module.exports;
}

// What a start needs depends on the command, and on whether there is a memory to search.
function nameStart(cache) {
  if (argv[0] !== "agent") return argv[0] === "gateway" ? "gateway" : "other";
  return process.getBuiltinModule("node:fs").existsSync(`${cache}/../index.db`) ? "agent-recall" : "agent";
}

// That this way of importing may still change is of use to us, and to nobody who reads the terminal.
function leaveOutWarning(beginning) {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith(beginning)) emitWarning.call(process, warning, ...rest);
  };
}

function readCompiled(place, stamp) {
  try {
    const bytes = process.getBuiltinModule("node:fs").readFileSync(place);
    const start = bytes.indexOf("\n") + 1;
    const code = bytes.subarray(start);
    return bytes.toString("latin1", 0, start) === toHead(stamp, code) ? code : undefined;
  } catch {
    return undefined;
  }
}

// The engine believes whatever it is given, and would crash on what a full disk or a loss of power left of it.
function toHead(stamp, code) {
  return `${stamp} ${process.getBuiltinModule("node:crypto").hash("sha1", code)}\n`;
}

// When it has started, or at its end if that comes before: once.
function keepCompiled(script, { place, stamp, onKept }) {
  const { renameSync, rmSync, writeFileSync } = process.getBuiltinModule("node:fs");
  const whole = `${place}.${process.pid}`;
  const keep = () => {
    process.off("exit", keep);
    try {
      // The engine refuses code that was kept under other settings than those it starts with (src/lib/process/engine-memory.ts).
      const { setFlagsFromString } = process.getBuiltinModule("node:v8");
      for (const flag of ["--heap-growing-percent=0", "--semi-space-growth-factor=2"])
        setFlagsFromString(flag);
      const code = script.createCachedData();
      onKept();
      writeFileSync(whole, Buffer.concat([Buffer.from(toHead(stamp, code)), code]), { mode: 0o600 });
      renameSync(whole, place);
    } catch {
      // A full disk or a read-only home only means a slower start.
      tryTo(() => rmSync(whole, { force: true }));
    }
  };
  process.on("exit", keep);
  setTimeout(keep, 3_000).unref();
}

function tryTo(act) {
  try {
    act();
  } catch {
    // A folder that cannot be looked at.
  }
}

function findConfigFlag() {
  const named = argv.findIndex((word) => word === "--config" || word === "-c");
  if (named >= 0) return argv[named + 1];
  return argv.find((word) => word.startsWith("--config="))?.slice("--config=".length);
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
