// Makes test/fixtures/cli-shapes.json with the real program of a checkout that is built: node scripts/make-cli-shapes.ts
// <checkout of 0.1.0>. Differences that were written down by hand are kept.
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { cliScenes } from "../test/support/cli-lines.ts";
import { cliFixture, cliFixturePath, type Type, typeScene } from "../test/support/cli-shapes.ts";

const program = join(resolve(process.argv[2] ?? ""), "bin/nanobot.mjs");

const type: Type = (argv, env) => {
  const child = spawn(process.execPath, [program, ...argv], { env, stdio: ["ignore", "pipe", "ignore"] });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  return new Promise((done) => child.on("close", (code) => done({ code, stdout })));
};

const { differences } = cliFixture;
const outcomes = {};
for (const scene of cliScenes) Object.assign(outcomes, await typeScene(scene, type));
await writeFile(cliFixturePath, `${JSON.stringify({ differences, outcomes }, null, 1)}\n`);
