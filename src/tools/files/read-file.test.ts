import { open, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDocx, createXlsx, paragraph } from "../../../test/support/create-office.ts";
import { createPdf } from "../../../test/support/create-pdf.ts";
import { createZip } from "../../../test/support/create-zip.ts";
import { runTool, runToolText } from "../../../test/support/run-tool.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createToolContext } from "../../../test/support/tool-context.ts";
import { createFileRoots } from "../../guards/files/file-roots.ts";
import type { Tool } from "../../runner/tool.ts";
import { createReadFile, LineWindow } from "./read-file.ts";

async function setUp(files: Record<string, string | Uint8Array>): Promise<{ workspace: string; tool: Tool }> {
  const workspace = await createTemporaryFolder(files);
  const roots = createFileRoots({ workspaceFor: () => workspace, readRoots: [], isRestricted: true });
  return { workspace, tool: createReadFile(roots) };
}

function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
}

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("lines", () => {
  it("are numbered, and the end is named", async () => {
    const { tool } = await setUp({ "笔记.md": "早\n\r\n\tb\r\nlast" });
    expect(await runToolText(tool, { path: "笔记.md" })).toBe(
      "1| 早\n2| \n3| \tb\n4| last\n(End of file: 4 lines.)",
    );
  });

  it("come as a window with the next action", async () => {
    const { tool } = await setUp({ a: numbered(10) });
    expect(await runToolText(tool, { path: "a", offset: 3, limit: 2 })).toBe(
      "3| line 3\n4| line 4\n(Showing lines 3-4 of 10. Use offset=5 to continue.)",
    );
    expect(await runToolText(tool, { path: "a", offset: "10" })).toBe(
      "10| line 10\n(End of file: 10 lines.)",
    );
    await expect(runTool(tool, { path: "a", offset: 11 })).rejects.toThrow(
      "offset 11 is past the end: a has 10 lines",
    );
  });

  it("are never more than 2000, whatever the limit", async () => {
    const { tool } = await setUp({ a: numbered(2001) });
    const text = await runToolText(tool, { path: "a", limit: 9999 });
    expect(text.split("\n")).toHaveLength(2001);
    expect(text).toMatch(/\(Showing lines 1-2000 of 2001\. Use offset=2001 to continue\.\)$/);
  });

  it("end on a whole line within 128,000 characters", async () => {
    const { tool } = await setUp({ a: `${"x".repeat(999)}\n`.repeat(400) });
    const text = await runToolText(tool, { path: "a" });
    expect(text.length).toBeLessThan(128_200);
    const next = Number(/Use offset=(\d+)/.exec(text)?.[1]);
    expect(await runToolText(tool, { path: "a", offset: next, limit: 1 })).toMatch(`${next}| x`);
    expect(text).toContain(`\n${next - 1}| x`);
  });

  it("that are endless are cut with a mark", async () => {
    const { tool } = await setUp({ a: `before\n${"字".repeat(500_000)}\nafter\n` });
    const text = await runToolText(tool, { path: "a" });
    expect(text.length).toBeLessThan(21_000);
    expect(text).toContain("... (cut: this line has 1500000 bytes)\n3| after");
    expect(text).not.toContain("\ufffd");
  });

  it("of an empty file are named as none", async () => {
    const { tool } = await setUp({ a: "" });
    expect(await runToolText(tool, { path: "a" })).toBe("(Empty file: a)");
  });
});

it("reads near the end of a huge file without holding it in memory", async () => {
  const { workspace, tool } = await setUp({});
  const file = await open(join(workspace, "big.log"), "w");
  const block = Buffer.from(`${"x".repeat(62)}\n`.repeat(16_384));
  for (let index = 0; index < 256; index++) await file.write(block);
  await file.write("the end\n");
  await file.close();
  const lines = 16_384 * 256 + 1;
  const before = process.resourceUsage().maxRSS;
  const text = await runToolText(tool, { path: "big.log", offset: lines });
  expect(text).toBe(`${lines}| the end\n(End of file: ${lines} lines.)`);
  expect(await runToolText(tool, { path: "big.log", limit: 1 })).toMatch(
    /\(Showing lines 1-1\. Use offset=2/,
  );
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(128 * 1024);
});

describe("encodings", () => {
  it("other than UTF-8 are decoded with a note", async () => {
    const gbk = Buffer.from("c4e3bac3a3accac0bde70aced2cac7d6d0b9fac8cb0a", "hex");
    const { tool } = await setUp({
      gbk,
      latin: Buffer.from("caf\xe9 cr\xe8me\nna\xefve\n", "latin1"),
      utf16le: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("早上\r\n好", "utf16le")]),
      utf16be: Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from("早上\n好", "utf16le").swap16()]),
      bom: Buffer.from("\ufeff早\n"),
    });
    expect(await runToolText(tool, { path: "gbk" })).toMatch("1| 你好，世界\n2| 我是中国人\n");
    expect(await runToolText(tool, { path: "gbk" })).toMatch("(Decoded as gb18030; the file is not UTF-8.)");
    expect(await runToolText(tool, { path: "latin" })).toMatch("1| café crème\n2| naïve\n");
    expect(await runToolText(tool, { path: "utf16le" })).toMatch("1| 早上\n2| 好\n");
    expect(await runToolText(tool, { path: "utf16be" })).toMatch("1| 早上\n2| 好\n");
    expect(await runToolText(tool, { path: "bom" })).toBe("1| 早\n(End of file: 1 lines.)");
  });

  it("are not guessed wrong where a sample ends inside a character", async () => {
    const { tool } = await setUp({ a: `x${"早".repeat(40_000)}\n` });
    expect(await runToolText(tool, { path: "a" })).not.toMatch(/Decoded as/);
  });
});

describe("what is no text", () => {
  it("is shown when it is an image, whatever its name", async () => {
    const { tool } = await setUp({ "photo.txt": png });
    const { content } = await runTool(tool, { path: "photo.txt" });
    expect(content).toEqual([
      { type: "text", text: "Image photo.txt (image/png, 1 KB):" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${png.toString("base64")}` } },
    ]);
  });

  it("is refused when it is too large an image", async () => {
    const { workspace, tool } = await setUp({ "photo.png": png });
    await truncate(join(workspace, "photo.png"), 11 * 1024 ** 2);
    await expect(runTool(tool, { path: "photo.png" })).rejects.toThrow(/over the limit of 10 MB/);
  });

  it("is refused by its type when it is binary", async () => {
    const { tool } = await setUp({
      "a.zip": createZip([{ path: "a.txt", content: "a" }]),
      "a.bin": Buffer.from([1, 2, 3, 0, 5]),
    });
    await expect(runTool(tool, { path: "a.zip" })).rejects.toThrow(/binary file \(application\/zip\)/);
    await expect(runTool(tool, { path: "a.bin" })).rejects.toThrow(/application\/octet-stream/);
  });

  it("is refused when it is a folder, a device or missing", async () => {
    const { workspace, tool } = await setUp({ "notes/readme.md": "x" });
    await symlink("/dev/zero", join(workspace, "zero"));
    await expect(runTool(tool, { path: "notes" })).rejects.toThrow(/is a folder.*list_dir/);
    await expect(runTool(tool, { path: "zero" })).rejects.toThrow(/is a device/);
    await expect(runTool(tool, { path: "notes/README.txt" })).rejects.toThrow(/Did you mean "readme\.md"/);
  });
});

describe("a PDF", () => {
  const pages = Array.from({ length: 45 }, (_, index) => `Page number ${index + 1}`);

  it("comes in parts of twenty pages, and says how to go on", async () => {
    const { tool } = await setUp({ "report.txt": createPdf(...pages) });
    const first = await runToolText(tool, { path: "report.txt" });
    expect(first).toMatch(/^1\| \[page 1\]\n2\| Page number 1\n/);
    expect(first).toMatch(/Page number 20\n.*\n\(Pages 1-20 of 45\. Use pages="21-40" to continue\.\)$/);
    const second = await runToolText(tool, { path: "report.txt", pages: "21-99" });
    expect(second).toContain('(Pages 21-40 of 45. Use pages="41-45" to continue.)');
    expect(await runToolText(tool, { path: "report.txt", pages: "41-" })).toMatch(
      /45\n.*\(Pages 41-45 of 45\.\)$/s,
    );
    const lines = await runToolText(tool, { path: "report.txt", pages: 3, offset: 2, limit: 1 });
    expect(lines).toBe(
      '2| Page number 3\n(End of file: 2 lines.)\n(Pages 3-3 of 45. Use pages="4-23" to continue.)',
    );
  });

  it.each(["all", "0", "5-2", "1,3", "-3"])("is not read for pages such as %s", async (range) => {
    const { tool } = await setUp({ "a.pdf": createPdf("x") });
    await expect(runTool(tool, { path: "a.pdf", pages: range })).rejects.toThrow(/such as "3" or "1-5", not/);
  });

  it("says what is missing: pages beyond the last, text in images, a file that is broken", async () => {
    const { tool } = await setUp({ "a.pdf": createPdf(""), "broken.pdf": "%PDF-1.7\nplain looking" });
    await expect(runTool(tool, { path: "a.pdf", pages: "7" })).rejects.toThrow(/has 1 pages\. Choose/);
    expect(await runToolText(tool, { path: "a.pdf" })).toContain("These pages have no text");
    await expect(runTool(tool, { path: "broken.pdf" })).rejects.toThrow(/^This PDF could not be read/);
  });
});

describe("an office document", () => {
  it("is read by what it is, whatever its name, in windows of lines", async () => {
    const docx = createDocx([1, 2, 3].map((number) => paragraph(`第${number}段`)).join(""));
    const xlsx = createXlsx({ a: '<row><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row>' });
    const { tool } = await setUp({ "a.docx": docx, "b.bin": xlsx });
    expect(await runToolText(tool, { path: "a.docx", offset: 2, limit: 1 })).toBe(
      "2| 第2段\n(Showing lines 2-2 of 3. Use offset=3 to continue.)",
    );
    expect(await runToolText(tool, { path: "b.bin", pages: "2" })).toBe(
      "1| [sheet a]\n2| 1\t2\n(End of file: 2 lines.)\n(pages is for PDFs; use offset and limit.)",
    );
    expect(await runToolText(tool, { path: "a.docx", pages: "" })).not.toContain("PDFs");
  });

  it("is refused in a sentence when it is broken, locked, a bomb, old or too large", async () => {
    const locked = createZip([{ path: "_rels/.rels", content: "x", flags: 1 }]);
    const bomb = createZip([{ path: "word/document.xml", content: Buffer.alloc(65 * 1024 * 1024) }]);
    const { tool, workspace } = await setUp({
      "cut.docx": createDocx(paragraph("x")).subarray(0, 200),
      "locked.docx": locked,
      "bomb.xlsx": bomb,
      "old.doc": Buffer.from("d0cf11e0a1b11ae1", "hex"),
      "huge.docx": createDocx(paragraph("x")),
      "text.docx": "only text",
    });
    await truncate(join(workspace, "huge.docx"), 51 * 1024 ** 2);
    const problems = {
      "cut.docx": /cut\.docx is damaged\. Ask for it in another form\./,
      "locked.docx": /locked\.docx is encrypted, or packed/,
      "bomb.xlsx": /larger than 64 MB when unpacked/,
      "old.doc": /of the old form, or locked with a password\. Ask/,
      "huge.docx": /over 50 MB\. Split it first/,
    };
    for (const [path, problem] of Object.entries(problems))
      await expect(runTool(tool, { path })).rejects.toThrow(problem);
    expect(await runToolText(tool, { path: "text.docx" })).toMatch(/^1\| only text\n/);
  });

  it("stops when the turn is called off while it is read", async () => {
    const { tool } = await setUp({
      "a.docx": createDocx("<w:tbl><w:tr><w:tc>".repeat(300_000) + paragraph("x")),
    });
    const controller = new AbortController();
    const reason = new Error("stop");
    const call = runTool(tool, { path: "a.docx" }, createToolContext({ signal: controller.signal }));
    setImmediate(() => controller.abort(reason));
    await expect(call).rejects.toBe(reason);
  });
});

it("stops when the turn is called off", async () => {
  const { workspace, tool } = await setUp({});
  await writeFile(join(workspace, "a"), numbered(100_000));
  const reason = new Error("stop");
  const context = createToolContext({ signal: AbortSignal.abort(reason) });
  await expect(runTool(tool, { path: "a" }, context)).rejects.toBe(reason);
});

it("finds the same lines however the bytes arrive", () => {
  const lineText = fc
    .string({ unit: "grapheme", maxLength: 8 })
    .map((text) => text.replaceAll(/[\r\n\ufeff]/g, "¶"));
  fc.assert(
    fc.property(
      fc.array(lineText, { maxLength: 12 }).map((lines) => lines.join("\n")),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 6 }),
      (text, sizes, offset, limit) => {
        const window = new LineWindow({
          offset,
          limit,
          maxCharacters: 1e6,
          maxLineLength: 1000,
          encoding: "utf-8",
        });
        const bytes = Buffer.from(text.toWellFormed());
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          window.push(bytes.subarray(at, at + size));
          at += size;
        }
        window.end();
        const all = text.toWellFormed().split("\n");
        if (all.at(-1) === "") all.pop();
        const wanted = all
          .slice(offset - 1, offset - 1 + limit)
          .map((line, index) => `${offset + index}| ${line}`);
        expect(window.lines).toEqual(wanted);
        expect(window.total).toBe(all.length);
      },
    ),
  );
});
