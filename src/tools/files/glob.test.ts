import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runToolText } from "../../../test/support/run-tool.ts";
import {
  createWorkspace,
  searchedProject as project,
  type TestWorkspace,
} from "../../../test/support/workspace.ts";
import { createGlob } from "./list-files.ts";

async function setUp(files: Record<string, string | Uint8Array>): Promise<TestWorkspace & { glob: Call }> {
  const created = await createWorkspace(files);
  return { ...created, glob: (args) => runToolText(createGlob(created.roots), args) };
}

type Call = (args: Record<string, unknown>) => Promise<string>;

describe("glob", () => {
  it("finds a bare pattern at any depth and a path pattern where it says", async () => {
    const { glob, workspace } = await setUp(project);
    expect(await glob({ pattern: "*.py" })).toBe("src/deep/util.py");
    expect(await glob({ pattern: "*.md" })).toBe("README.md\n笔记/日记.md");
    expect(await glob({ pattern: "src/*.ts" })).toBe("src/app.ts");
    expect(await glob({ pattern: "src/**" })).toBe("src/app.ts\nsrc/deep/util.py");
    expect(await glob({ pattern: "**/*.{ts,py}" })).toBe("src/app.ts\nsrc/deep/util.py");
    expect(await glob({ pattern: "*.py", path: "src" })).toBe("src/deep/util.py");
    expect(await glob({ pattern: `${workspace}/src/*.ts` })).toBe("src/app.ts");
    expect(await glob({ pattern: "日?.md" })).toBe("笔记/日记.md");
  });

  it("finds folders, hidden names only when named, and never what is inside .git or behind a link", async () => {
    const { glob, workspace } = await setUp(project);
    await symlink("../outside", join(workspace, "out"));
    await mkdir(join(workspace, "src/empty"));
    expect(await glob({ pattern: "src/*", entry_type: "dirs" })).toBe("src/deep/\nsrc/empty/");
    expect(await glob({ pattern: "src/*", entry_type: "both" })).toBe("src/app.ts\nsrc/deep/\nsrc/empty/");
    expect(await glob({ pattern: ".env*" })).toBe(".env");
    expect(await glob({ pattern: ".hidden/*" })).toBe(".hidden/x.md");
    expect(await glob({ pattern: "config" })).toBe("Nothing matches config (path: .).");
    expect(await glob({ pattern: "secret.md" })).toMatch(/^Nothing/);
    await expect(glob({ pattern: "../outside/*" })).rejects.toThrow(/leads outside/);
    await expect(glob({ pattern: "/etc/*" })).rejects.toThrow(/leads outside/);
  });

  it("comes in pages", async () => {
    const { glob } = await setUp(
      Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`f${index}`, ""])),
    );
    expect(await glob({ pattern: "f*", head_limit: 3 })).toBe(
      "f0\nf1\nf2\n(Results 1-3. Use offset=3 to continue.)",
    );
    expect(await glob({ pattern: "f*", head_limit: 3, offset: 6 })).toBe("f6\n(Results 7-7, the last.)");
    expect(await glob({ pattern: "f*", offset: 7 })).toBe("Nothing matches f* beyond 7 (path: .).");
    expect((await glob({ pattern: "f*", head_limit: 0 })).split("\n")).toHaveLength(7);
  });
});
