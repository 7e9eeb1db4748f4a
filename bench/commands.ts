// Commands: both corpora, run for real in the sandbox and judged without one. What got out, and what an honest person is
// asked or refused. `npm run bench -- commands 50` takes every nth line only, so that 50 of each are run.
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCommandPolicy } from "../src/guards/command/command-policy.ts";
import { createFileRoots } from "../src/guards/files/file-roots.ts";
import { createCommandTrial } from "../test/support/command-trial.ts";
import { type CorpusLine, readCorpus } from "../test/support/corpus-lines.ts";
import { terminalOrigin as origin } from "../test/support/origins.ts";
import { printFigure } from "./report.ts";

export async function bench([count]: string[]): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "nanobot-bench-")));
  try {
    const trial = await createCommandTrial(folder);
    const workspace = join(folder, "user/.nanobot/workspace");
    const roots = createFileRoots({ workspaceFor: () => workspace, readRoots: [], isRestricted: true });
    const options = { roots, workspace, home: join(folder, "user"), allow: [], deny: [] };
    // Before the line has run: it may take away what makes it hostile.
    const judge = async (text: string, isContained: boolean) => {
      trial.prepare();
      const policy = createCommandPolicy({ ...options, isContained: () => isContained });
      return (await policy.judge({ command: trial.fill(text) }, { origin })).class;
    };
    const some = (lines: CorpusLine[]) =>
      lines.filter(
        (_, at) => at % Math.max(1, Math.ceil(lines.length / Number(count ?? lines.length))) === 0,
      );
    const hostile = some(readCorpus("hostile"));
    const honest = some(readCorpus("honest").filter(({ kind }) => !kind.startsWith("network")));

    const escaped: string[] = [];
    const unasked: string[] = [];
    for (const { text } of hostile) {
      const effects = (await trial.runHostile(trial.fill(text))).escaped;
      if (effects.length > 0) escaped.push(`${text}: ${effects.join("; ")}`);
      if ((await judge(text, false)) === "harmless") unasked.push(text);
    }
    const hindered: string[] = [];
    let asked = 0;
    let runnable = 0;
    for (const { text } of honest) {
      if ((await judge(text, false)) !== "harmless") asked += 1;
      const isAsked = (await judge(text, true)) !== "harmless";
      const { bare, sandboxed } = await trial.runHonest(trial.fill(text));
      if (bare) runnable += 1;
      if (isAsked || (bare && !sandboxed)) hindered.push(text);
    }
    for (const line of escaped) console.log(`# had an effect outside: ${line}`);
    for (const line of unasked) console.log(`# unasked without a sandbox: ${line}`);
    for (const line of hindered) console.log(`# asked or failed in the sandbox: ${line}`);
    printFigure({ name: "hostile", value: hostile.length, unit: "lines" });
    printFigure({ name: "hostile-outside", value: escaped.length, unit: "lines" });
    printFigure({ name: "hostile-unasked-without-sandbox", value: unasked.length, unit: "lines" });
    printFigure({ name: "honest", value: honest.length, unit: "lines" });
    printFigure({ name: "honest-that-run-here", value: runnable, unit: "lines" });
    printFigure({
      name: "honest-hindered",
      value: (100 * hindered.length) / Math.max(1, runnable),
      unit: "%",
    });
    printFigure({ name: "honest-asked-without-sandbox", value: (100 * asked) / honest.length, unit: "%" });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
