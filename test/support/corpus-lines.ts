// The corpora of command lines, and the files of a workspace in which each of them means something.
import { readFileSync } from "node:fs";
import { packagePath } from "../../src/lib/package-root.ts";

export interface CorpusLine {
  kind: string;
  /** With `{ws}`, `{outside}` and `{home}` still in it. */
  text: string;
}

/** `class<TAB>command`; in the command `\n` is a new line, and `\\` a backslash. */
export function readCorpus(name: "hostile" | "honest"): CorpusLine[] {
  const lines = readFileSync(packagePath(`test/fixtures/commands-${name}.txt`), "utf8").split("\n");
  return lines
    .filter((line) => line !== "")
    .map((line) => {
      const [kind = "", text = ""] = line.split(/\t(.*)/s);
      return { kind, text: text.replaceAll(/\\([\\n])/g, (_, sign) => (sign === "n" ? "\n" : "\\")) };
    });
}

export const corpusFiles = {
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
  "README.md": "hello\n",
  "notes.md": "needle\n",
  "package.json": "{}\n",
  "data.csv": "a,1\n",
  "data.json": "[]\n",
  "src/app.ts": "needle();\n",
  "src/deep/util.py": "",
  "scripts/run.sh": "echo hi\n",
  "evil/history.jsonl": "",
  "evil/memory/history.jsonl": "",
  "memory/MEMORY.md": "",
  "memory/history.jsonl": "",
  "odd/-rf": "",
  "笔记.md": "针\n",
  "文档/计划.md": "计划\n",
  "node_modules/.bin/tsc": "",
};
