// Search: grep and glob over a tree of 100,000 files, against ripgrep alone with the same question. [files]
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { rgPath } from "@vscode/ripgrep";
import { createFileRoots } from "../src/guards/files/file-roots.ts";
import type { Tool } from "../src/runner/tool.ts";
import { createGrep } from "../src/tools/files/grep.ts";
import { createGlob } from "../src/tools/files/list-files.ts";
import { runTool } from "../test/support/run-tool.ts";
import { median, printFigure } from "./report.ts";

const run = promisify(execFile);
const rounds = 7;

interface Question {
  name: string;
  tool: Tool;
  args: Record<string, unknown>;
  /** The same, asked of ripgrep itself. */
  rg: string[];
}

export async function bench([files = "100000"]: string[]): Promise<void> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "nanobot-bench-")));
  try {
    await plant(root, Number(files));
    const roots = createFileRoots({
      workspaceFor: () => root,
      readRoots: () => [],
      isRestricted: true,
    });
    const grep = createGrep(roots) as Tool;
    const glob = createGlob(roots) as Tool;
    const questions: Question[] = [
      {
        name: "grep-rare",
        tool: grep,
        args: { pattern: "needle_[0-9]+" },
        rg: ["--files-with-matches", "needle_[0-9]+"],
      },
      {
        name: "grep-count",
        tool: grep,
        args: { pattern: "common", output_mode: "count" },
        rg: ["--count", "common"],
      },
      {
        name: "grep-content",
        tool: grep,
        args: { pattern: "needle_", output_mode: "content" },
        rg: ["--line-number", "needle_"],
      },
      { name: "glob", tool: glob, args: { pattern: "**/*7.py" }, rg: ["--files", "--glob", "**/*7.py"] },
    ];
    for (const question of questions) await measure(question, root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function plant(root: string, count: number): Promise<void> {
  for (let start = 0; start < count; start += 200) {
    const folder = join(root, `part${start % 10}`, `folder${start}`);
    await mkdir(folder, { recursive: true });
    const numbers = Array.from({ length: Math.min(200, count - start) }, (_, index) => start + index);
    await Promise.all(
      numbers.map((number) => {
        const needle = number % 1000 === 0 ? `needle_${number}\n` : "";
        const text = `line one of ${number}\ncommon words stand here\n${needle}the end\n`;
        return writeFile(join(folder, `file${number}.${number % 2 === 0 ? "txt" : "py"}`), text);
      }),
    );
  }
}

/** Taken in turns, so that whatever else the machine does meets both. */
async function measure({ name, tool, args, rg }: Question, root: string): Promise<void> {
  const own: number[] = [];
  const alone: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    await run(rgPath, [...rg, "."], { cwd: root, maxBuffer: 1e9 });
    const middle = performance.now();
    await runTool(tool, args);
    alone.push(middle - begun);
    own.push(performance.now() - middle);
  }
  printFigure({ name, value: median(own), unit: "ms", baseline: median(alone) });
}
