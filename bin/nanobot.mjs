#!/usr/bin/env node
// The door: runs on any Node, so it has no static imports (they would be loaded before the version guard).
// It answers --version, hands over to a newer Node if one is installed beside it, and loads the program.

const root = new URL("../", import.meta.url);
const [major, minor] = process.versions.node.split(".").map(Number);
const isNodeTooOld = major < 22 || (major === 22 && minor < 18);
const argv = process.argv.slice(2);

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
  // Ctrl-C reaches the child by itself, from the terminal, and must reach it only once: a second one means "at once".
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
  const { existsSync } = await import("node:fs");
  const program = new URL("dist/main.js", root);
  if (!existsSync(program)) return fail("nanobot is not built yet. Run: npm run build");
  await enableCompileCache(existsSync);
  const { main } = await import(program.href);
  await main(process.argv);
}

// The cache lives in the private home, never in the shared temp folder; a home that is not there yet is not made.
async function enableCompileCache(existsSync) {
  const { homedir } = await import("node:os");
  const { dirname, join } = await import("node:path");
  const config = findConfigFlag();
  const home = config ? dirname(config) : process.env.NANOBOT_HOME || join(homedir(), ".nanobot");
  if (!existsSync(home)) return;
  const { mkdirSync } = await import("node:fs");
  const { enableCompileCache: enable } = await import("node:module");
  try {
    mkdirSync(join(home, "cache"), { recursive: true, mode: 0o700 });
    enable(join(home, "cache"));
  } catch {
    // A read-only home only means a slower start.
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
