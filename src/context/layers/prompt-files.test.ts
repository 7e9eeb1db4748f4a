import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { largestPromptFile, PromptFiles } from "./layer.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "nanobot-prompt-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const read = (name: string, files = new PromptFiles()) => files.read(root, name);

describe("a prompt file", () => {
  it("is cleaned of byte-order mark, carriage returns and NUL, and trimmed", async () => {
    await writeFile(join(root, "SOUL.md"), "\ufeff\r\n# Soul\r\n\r\nwarm\0\r\n");
    expect((await read("SOUL.md"))?.text).toBe("# Soul\n\nwarm");
  });

  it("survives invalid UTF-8", async () => {
    await writeFile(join(root, "SOUL.md"), Buffer.from([0x41, 0xff, 0xfe, 0x42]));
    expect((await read("SOUL.md"))?.text).toBe("A\ufffd\ufffdB");
  });

  it("that is too long is cut at a line, with a mark that names it", async () => {
    await writeFile(join(root, "SOUL.md"), "一行文字\n".repeat(10_000));
    const text = (await read("SOUL.md"))?.text ?? "";
    expect(text.length).toBeLessThanOrEqual(largestPromptFile);
    expect(text).toMatch(
      /一行文字\n\[\.\.\. SOUL\.md is longer than the prompt takes; read the rest with read_file\]$/,
    );
  });

  it("of a gigabyte costs only its beginning", async () => {
    await writeFile(join(root, "SOUL.md"), "x");
    await truncate(join(root, "SOUL.md"), 1024 ** 3);
    expect((await read("SOUL.md"))?.text).toBe("x");
  });

  it("that is a folder, a pipe or not there is left out, with a reason where there is one", async () => {
    const reasons: string[] = [];
    const files = new PromptFiles({
      onProblem: (path, reason) => reasons.push(`${path.slice(root.length + 1)} ${reason}`),
    });
    await mkdir(join(root, "SOUL.md"));
    execFileSync("mkfifo", [join(root, "USER.md")]);
    expect(await files.read(root, "SOUL.md")).toBeUndefined();
    expect(await files.read(root, "USER.md")).toBeUndefined();
    expect(await files.read(root, "AGENTS.md")).toBeUndefined();
    expect(reasons).toEqual(["SOUL.md is not a regular file", "USER.md is not a regular file"]);
  });

  it("is read again only when it changed, also when its size stayed the same", async () => {
    const files = new PromptFiles();
    const path = join(root, "SOUL.md");
    await writeFile(path, "calm");
    const first = await files.read(root, "SOUL.md");
    expect(await files.read(root, "SOUL.md")).toBe(first);
    await writeFile(path, "loud");
    await utimes(path, new Date(1), new Date(1));
    const second = await files.read(root, "SOUL.md");
    expect(second?.text).toBe("loud");
    expect(second?.hash).not.toBe(first?.hash);
  });
});
