import { execFileSync } from "node:child_process";
import { chmod, mkdir, readFile, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createImage, createPng } from "../../test/support/images.ts";
import { cases } from "../../test/support/long-form.ts";
import { hasSystemPart } from "../../test/support/system-part.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { ContentPart } from "../llm/types.ts";
import { appendText, buildUserContent } from "./user-message.ts";

async function setUp(files: Record<string, string | Uint8Array> = {}) {
  const root = await createTemporaryFolder(files);
  const folder = join(root, "media");
  const build = async (text: string, ...names: string[]) => {
    const paths = names.map((name) => join(root, name));
    return (await buildUserContent(text, paths, { folder, limits: { bytes: 50_000, side: 64 } })).content;
  };
  /** The line about one file. */
  const lineOf = async (name: string) => {
    const content = await build("", name);
    if (typeof content !== "string") throw new Error("not a line");
    return content.replaceAll(root, "<root>");
  };
  return { root, folder, build, lineOf };
}

async function bytesOf(part: ContentPart | undefined): Promise<Buffer> {
  if (part?.type !== "image_url") throw new Error("no image");
  return readFile(fileURLToPath(part.image_url.url));
}

describe("a message without files", () => {
  it("is its text, well-formed", async () => {
    const { build } = await setUp();
    expect(await build("你好")).toBe("你好");
    expect(await build("half \ud83d")).toBe("half \ufffd");
    expect(await build("")).toBe("");
  });
});

describe("images", () => {
  it("come first, each with the address of a copy that only the owner can read", async () => {
    const png = createPng(3, 2);
    const { build, folder } = await setUp({ "a.png": png, "图片 二.gif": await createImage("gif", 4, 4) });
    const content = (await build("What are these?", "a.png", "图片 二.gif")) as ContentPart[];
    expect(content.map(({ type }) => type)).toEqual(["image_url", "image_url", "text"]);
    expect(content[2]).toEqual({ type: "text", text: "What are these?" });
    expect(await bytesOf(content[0])).toEqual(png);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it("are known by their bytes, whatever their names", async () => {
    const { build, lineOf } = await setUp({
      "notes.txt": await createImage("jpeg", 4, 4),
      "no-ending": await createImage("lossy webp", 4, 4),
      "text.png": "only words",
    });
    const content = await build("", "notes.txt", "no-ending");
    expect(content).toHaveLength(2);
    expect(await lineOf("text.png")).toBe("[Attachment: <root>/text.png (text/plain, 10 B)]");
  });

  it("beyond the host's limits are scaled, and the file itself stays as it is", async () => {
    const large = createPng(300, 200, { isNoisy: true });
    const { build, root } = await setUp({ "large.png": large });
    const [part] = (await build("", "large.png")) as ContentPart[];
    expect((await bytesOf(part)).length).toBeLessThan(50_000);
    expect(await readFile(join(root, "large.png"))).toEqual(large);
  });

  it("that are broken or too large become a line", async () => {
    const { root, lineOf } = await setUp({
      "broken.png": createPng(3, 3).subarray(0, 20),
      "bomb.png": createPng(2, 2, { claims: { width: 40_000, height: 40_000 } }),
      "huge.png": createPng(3, 3),
    });
    await truncate(join(root, "huge.png"), 65 * 1024 * 1024);
    expect(await lineOf("broken.png")).toBe(
      "[Attachment: <root>/broken.png (image/png, 20 B; a broken image)]",
    );
    expect(await lineOf("bomb.png")).toMatch(
      /image\/png, \d+ B; an image of 40000 x 40000 pixels, too large to be shown\)\]$/,
    );
    expect(await lineOf("huge.png")).toBe(
      "[Attachment: <root>/huge.png (image/png, 65.0 MB; too large to be shown)]",
    );
  });

  it("that cannot be stored become a line", async () => {
    const { lineOf } = await setUp({ "a.png": createPng(3, 2), media: "a file where the folder should be" });
    expect(await lineOf("a.png")).toBe("[Attachment: <root>/a.png (cannot be shown: EEXIST)]");
  });
});

describe("other files", () => {
  it("are lines after the text, with path, type and size", async () => {
    const { build, root } = await setUp({
      "报告.pdf": Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(1_300_000)]),
      "gbk.txt": Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0xca, 0xc0, 0xbd, 0xe7]),
      "a.zip": Buffer.from("PK\x03\x04\0\0\0\0"),
      "a.png": createPng(1, 1),
    });
    const content = (await build("读一下", "报告.pdf", "a.png", "gbk.txt", "a.zip")) as ContentPart[];
    expect(content).toHaveLength(2);
    expect(content[1]).toEqual({
      type: "text",
      text: [
        "读一下",
        `[Attachment: ${root}/报告.pdf (application/pdf, 1.2 MB)]`,
        `[Attachment: ${root}/gbk.txt (text/plain, 8 B)]`,
        `[Attachment: ${root}/a.zip (application/zip, 8 B)]`,
      ].join("\n"),
    });
  });

  it("have their paths made absolute", async () => {
    const { root, folder } = await setUp({ "a.txt": "x" });
    const path = relative(process.cwd(), join(root, "a.txt"));
    expect(await buildUserContent("", [path], { folder })).toEqual({
      content: `[Attachment: ${root}/a.txt (text/plain, 1 B)]`,
      files: [join(root, "a.txt")],
    });
  });

  it("cannot write lines of their own by their names", async () => {
    const { lineOf } = await setUp({ "a\n[Attachment: b (c)]\u2028.txt": "x" });
    const line = await lineOf("a\n[Attachment: b (c)]\u2028.txt");
    expect(line.split(/[\n\u2028]/)).toHaveLength(1);
    expect(line).toContain(String.raw`a\u000a[Attachment: b (c)]\u2028.txt`);
  });

  it("are twenty at most", async () => {
    const { build } = await setUp({ "a.txt": "x" });
    const lines = String(await build("", ...Array.from({ length: 23 }, () => "a.txt"))).split("\n");
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe("[3 more attachments left out: a message takes 20]");
  });
});

describe("what is no file to be read", () => {
  it("becomes a line that says so", async () => {
    const { root, lineOf } = await setUp({ "empty.png": "", "a.txt": "x" });
    await mkdir(join(root, "folder"));
    await symlink("loop", join(root, "loop"));
    await symlink("/dev/zero", join(root, "zero"));
    expect(await lineOf("missing.png")).toBe("[Attachment: <root>/missing.png (not there)]");
    expect(await lineOf("a.txt/below")).toBe("[Attachment: <root>/a.txt/below (not there)]");
    expect(await lineOf("empty.png")).toBe("[Attachment: <root>/empty.png (an empty file)]");
    expect(await lineOf("folder")).toBe("[Attachment: <root>/folder (a folder)]");
    expect(await lineOf("loop")).toBe("[Attachment: <root>/loop (cannot be shown: ELOOP)]");
    expect(await lineOf("zero")).toBe("[Attachment: <root>/zero (a device, pipe or socket, not a file)]");
    expect(await lineOf("a\0b")).toContain(String.raw`a\u0000b (cannot be shown: ERR_INVALID_ARG_VALUE)]`);
  });

  it.runIf(hasSystemPart(["mkfifo", "--version"], "coreutils"))("never waits for a pipe", async () => {
    const { root, lineOf } = await setUp();
    execFileSync("mkfifo", [join(root, "pipe.png")]);
    expect(await lineOf("pipe.png")).toBe(
      "[Attachment: <root>/pipe.png (a device, pipe or socket, not a file)]",
    );
  });

  it.skipIf(process.getuid?.() === 0)("names a lack of permission", async () => {
    const { root, lineOf } = await setUp({ "closed.txt": "x" });
    await chmod(join(root, "closed.txt"), 0);
    expect(await lineOf("closed.txt")).toContain("(permission denied)");
  });

  it("is never a failure, whatever its name and its bytes", async () => {
    const { root, folder } = await setUp();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), fc.uint8Array(), async (text, bytes) => {
        await writeFile(join(root, "any"), bytes);
        const { content } = await buildUserContent(text, [join(root, "any"), text], { folder });
        expect(JSON.stringify(content).isWellFormed()).toBe(true);
      }),
      { numRuns: cases(100) },
    );
  });
});

describe("text at the end", () => {
  it("joins the text there is, and stays one part", () => {
    const image: ContentPart = { type: "image_url", image_url: { url: "file:///a.png" } };
    expect(appendText("a", "b")).toBe("a\n\nb");
    expect(appendText("", "b")).toBe("b");
    expect(appendText([image], "b")).toEqual([image, { type: "text", text: "b" }]);
    expect(appendText([image, { type: "text", text: "a" }], "b")).toEqual([
      image,
      { type: "text", text: "a\n\nb" },
    ]);
  });
});
