import { execFileSync } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runToolText } from "../../../test/support/run-tool.ts";
import { createToolContext } from "../../../test/support/tool-context.ts";
import {
  createWorkspace,
  searchedProject as project,
  type TestWorkspace,
} from "../../../test/support/workspace.ts";
import { createGrep } from "./grep.ts";

async function setUp(files: Record<string, string | Uint8Array>): Promise<TestWorkspace & { grep: Call }> {
  const created = await createWorkspace(files);
  return { ...created, grep: (args) => runToolText(createGrep(created.roots), args) };
}

type Call = (args: Record<string, unknown>) => Promise<string>;

describe("grep", () => {
  it("lists files by default, without hidden ones, ignore files notwithstanding", async () => {
    const { grep } = await setUp(project);
    expect(await grep({ pattern: "needle" })).toBe("src/app.ts\nsrc/deep/util.py\n笔记/日记.md");
    expect(await grep({ pattern: "needle", glob: ".env" })).toBe(".env");
    expect(await grep({ pattern: "needle", path: ".hidden" })).toBe(".hidden/x.md");
  });

  it("shows lines with their numbers, and context", async () => {
    const { grep } = await setUp(project);
    expect(await grep({ pattern: "needle", output_mode: "content", glob: "*.ts" })).toBe(
      "src/app.ts\n2: needle();\n4: // needle twice: needle",
    );
    expect(
      await grep({ pattern: "twice|hello", output_mode: "content", context_before: 1, context_after: 1 }),
    ).toBe("README.md\n1: hello\n\nsrc/app.ts\n3- const b = 2;\n4: // needle twice: needle");
    expect(
      await grep({
        pattern: "a = |twice",
        output_mode: "content",
        path: "src/app.ts",
        context_after: 0,
        context_before: 1,
      }),
    ).toBe("src/app.ts\n1: const a = 1;\n--\n3- const b = 2;\n4: // needle twice: needle");
  });

  it("counts every match", async () => {
    const { grep } = await setUp(project);
    expect(await grep({ pattern: "needle", output_mode: "count" })).toBe(
      "src/app.ts: 3\nsrc/deep/util.py: 1\n笔记/日记.md: 1\n(5 matches in 3 files)",
    );
  });

  it("understands Chinese, case, literal text, types and line breaks", async () => {
    const { grep } = await setUp({ ...project, "odd.txt": "a.*b\nFooBar\r\n-x --files\n" });
    expect(await grep({ pattern: "找针", output_mode: "content" })).toBe("笔记/日记.md\n2: 找针：needle");
    expect(await grep({ pattern: "foobar", case_insensitive: true, output_mode: "content" })).toBe(
      "odd.txt\n2: FooBar",
    );
    expect(await grep({ pattern: "foobar" })).toBe("No matches for foobar (path: .).");
    expect(await grep({ pattern: ".*b", fixed_strings: true })).toBe("odd.txt");
    expect(await grep({ pattern: "needle", type: "py" })).toBe("src/deep/util.py");
    expect(await grep({ pattern: "1;\\nneedle" })).toBe("src/app.ts");
    expect(await grep({ pattern: "(?<=Foo)Bar" })).toBe("odd.txt");
    expect(await grep({ pattern: "--files" })).toBe("odd.txt");
    expect(await grep({ pattern: "-x", fixed_strings: true })).toBe("odd.txt");
  });

  it("skips binary and oversized files, but searches a large one that is named", async () => {
    const { grep } = await setUp({
      "a.bin": Buffer.from("needle\0needle"),
      "big.txt": `${"x\n".repeat(1_200_000)}needle\n`,
    });
    expect(await grep({ pattern: "needle" })).toBe("No matches for needle (path: .).");
    expect(await grep({ pattern: "needle", path: "big.txt", output_mode: "content" })).toBe(
      "big.txt\n1200001: needle",
    );
    expect(await grep({ pattern: "needle", path: "a.bin", output_mode: "content" })).toBe(
      "No matches for needle (path: a.bin).",
    );
  });

  it("cuts endless lines", async () => {
    const { grep } = await setUp({ a: `needle ${"x".repeat(100_000)}\n` });
    expect((await grep({ pattern: "needle", output_mode: "content" })).length).toBeLessThan(700);
  });

  it("comes in pages in a stable order", async () => {
    const { grep } = await setUp({ a: "x\n".repeat(3), b: "x\n".repeat(3) });
    const first = await grep({ pattern: "x", output_mode: "content", head_limit: 4 });
    expect(first).toBe("a\n1: x\n2: x\n3: x\n\nb\n1: x\n(Lines 1-4. Use offset=4 to continue.)");
    expect(await grep({ pattern: "x", output_mode: "content", offset: 4 })).toBe(
      "b\n2: x\n3: x\n(Lines 5-6, the last.)",
    );
    expect(await grep({ pattern: "x", output_mode: "count", head_limit: 1 })).toBe(
      "a: 3\n(Files 1-1. Use offset=1 to continue.)",
    );
    expect(await grep({ pattern: "x", offset: 9 })).toBe("No matches for x beyond 9 (path: .).");
  });

  it("stays inside the workspace, also behind links", async () => {
    const { grep, workspace } = await setUp({ "a.md": "x" });
    await symlink("../outside", join(workspace, "out"));
    await symlink("../outside/secret.md", join(workspace, "link.md"));
    expect(await grep({ pattern: "needle" })).toBe("No matches for needle (path: .).");
    await expect(grep({ pattern: "needle", path: "out" })).rejects.toThrow(/leads outside/);
    await expect(grep({ pattern: "needle", path: "link.md" })).rejects.toThrow(/leads outside/);
    await expect(grep({ pattern: "needle", path: "../outside" })).rejects.toThrow(/leads outside/);
  });

  it("explains what is wrong with a pattern, a type, a glob or a path", async () => {
    const { grep } = await setUp(project);
    await expect(grep({ pattern: "(" })).rejects.toThrow(
      /no valid regular expression: unclosed group.*fixed_strings/,
    );
    await expect(grep({ pattern: "x", type: "nope" })).rejects.toThrow(/unrecognized file type: nope/);
    await expect(grep({ pattern: "x", glob: "[" })).rejects.toThrow(/unclosed character class/);
    await expect(grep({ pattern: "x\0" })).rejects.toThrow(/NUL/);
    await expect(grep({ pattern: "x", path: "READ.md" })).rejects.toThrow(/Did you mean "README\.md"/);
  });

  it("ends ripgrep when enough has come and when the turn is called off", async () => {
    const { workspace, roots } = await setUp({});
    for (let index = 0; index < 40; index++)
      await writeFile(join(workspace, `f${index}`), "needle here\n".repeat(100_000));
    const tool = createGrep(roots);
    const page = await runToolText(tool, { pattern: "needle", output_mode: "content", head_limit: 5 });
    expect(page.split("\n")).toHaveLength(7);
    const controller = new AbortController();
    const reason = new Error("stop");
    const call = runToolText(
      tool,
      { pattern: "nothing.*(a|b)+c", output_mode: "content" },
      createToolContext({ signal: controller.signal }),
    );
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(namesOfChildren()).not.toContain("rg");
  });
});

function namesOfChildren(): string {
  return execFileSync("ps", ["-o", "comm=", "--ppid", String(process.pid)], { encoding: "utf8" });
}
