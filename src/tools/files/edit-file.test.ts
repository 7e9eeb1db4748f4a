import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampled } from "../../../test/support/long-form.ts";
import { runTool, runToolText } from "../../../test/support/run-tool.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createFileRoots } from "../../guards/files/file-roots.ts";
import { createEditFile } from "./edit-file.ts";
import { createWriteFile } from "./write-file.ts";

interface Desk {
  edit(args: Record<string, unknown>): Promise<string>;
  write(args: Record<string, unknown>): Promise<string>;
  content(name?: string): Promise<string>;
  workspace: string;
}

async function createDesk(content?: string | Uint8Array, name = "a.txt"): Promise<Desk> {
  const workspace = await createTemporaryFolder(content === undefined ? {} : { [name]: content });
  const roots = createFileRoots({ workspaceFor: () => workspace, readRoots: [], isRestricted: true });
  return {
    workspace,
    edit: (args) => runToolText(createEditFile(roots), { path: name, ...args }),
    write: (args) => runToolText(createWriteFile(roots), { path: name, ...args }),
    content: (file = name) => readFile(join(workspace, file), "utf8"),
  };
}

describe("an exact passage", () => {
  it("is replaced, and the lines are named as they are now", async () => {
    const desk = await createDesk("one\ntwo\nthree\n");
    expect(await desk.edit({ old_text: "two", new_text: "2\n2b" })).toBe("Edited a.txt: lines 2-3 changed.");
    expect(await desk.content()).toBe("one\n2\n2b\nthree\n");
  });

  it("goes with its line end when whole lines are deleted, and alone otherwise", async () => {
    const desk = await createDesk("one\ntwo\nthree two\n");
    expect(await desk.edit({ old_text: "two", new_text: "", occurrence: 1 })).toBe(
      "Edited a.txt: text removed at line 2.",
    );
    expect(await desk.content()).toBe("one\nthree two\n");
    await desk.edit({ old_text: " two", new_text: "" });
    expect(await desk.content()).toBe("one\nthree\n");
  });

  it("is taken as it is, not as a pattern", async () => {
    const desk = await createDesk("a.*b $1 [x]\n");
    await desk.edit({ old_text: ".*b $1 [x]", new_text: "$& $1 $$" });
    expect(await desk.content()).toBe("a$& $1 $$\n");
  });
});

describe("several matches", () => {
  const text = "x = 1\ny\nx = 1\nz\nx = 1\n";

  it("are refused with their lines, and nothing is written", async () => {
    const desk = await createDesk(text);
    await expect(desk.edit({ old_text: "x = 1", new_text: "x = 2" })).rejects.toThrow(
      /appears 3 times:\nline 1: x = 1\nline 3: x = 1\nline 5: x = 1\n Add surrounding lines/,
    );
    expect(await desk.content()).toBe(text);
  });

  it("are chosen by occurrence, by line, or all", async () => {
    const desk = await createDesk(text);
    expect(await desk.edit({ old_text: "x = 1", new_text: "x = 2", occurrence: 2 })).toContain(
      "line 3 changed",
    );
    expect(await desk.edit({ old_text: "x = 1", new_text: "x = 3", line_hint: 5 })).toContain(
      "line 5 changed",
    );
    expect(await desk.content()).toBe("x = 1\ny\nx = 2\nz\nx = 3\n");
    const all = await createDesk(text);
    expect(await all.edit({ old_text: "x", new_text: "w\n", replace_all: true })).toBe(
      "Edited a.txt: line 1 changed, line 4 changed, line 7 changed.",
    );
  });

  it("are all replaced when exactly that number is expected", async () => {
    const desk = await createDesk(text);
    await expect(
      desk.edit({ old_text: "x", new_text: "w", replace_all: true, expected_replacements: 2 }),
    ).rejects.toThrow(/Expected 2 replacements, but there would be 3/);
    await desk.edit({ old_text: "x", new_text: "w", expected_replacements: 3 });
    expect(await desk.content()).toBe(text.replaceAll("x", "w"));
  });

  it("are refused when the selector does not fit or contradicts another", async () => {
    const desk = await createDesk(text);
    await expect(desk.edit({ old_text: "x", new_text: "w", occurrence: 4 })).rejects.toThrow(
      /no occurrence 4/,
    );
    await expect(desk.edit({ old_text: "x", new_text: "w", line_hint: 2 })).rejects.toThrow(
      /No match covers line 2/,
    );
    await expect(desk.edit({ old_text: "x", new_text: "w", line_hint: 99 })).rejects.toThrow(
      /No match covers line 99/,
    );
    await expect(desk.edit({ old_text: "x", new_text: "w", line_hint: 1, occurrence: 1 })).rejects.toThrow(
      /only one of/,
    );
    expect(await desk.content()).toBe(text);
  });
});

describe("a passage that is nearly there", () => {
  it("is found without regard to indentation, and the replacement is indented like the file", async () => {
    const desk = await createDesk(
      "class A:\n    def f(self):\n        if x:\n            return 1\n\n    def g(self): pass\n",
      "a.py",
    );
    const result = await desk.edit({
      old_text: "def f(self):\n  if x:\n    return 1",
      new_text: "def f(self):\n  if x:\n    log()\n    return 2\n  return 3",
    });
    expect(result).toBe(
      "Edited a.py: lines 2-6 changed. Matched without regard to indentation: check the result.",
    );
    expect(await desk.content()).toBe(
      "class A:\n    def f(self):\n        if x:\n            log()\n            return 2\n        return 3\n\n    def g(self): pass\n",
    );
  });

  it("is found despite spaces at line ends and tabs", async () => {
    const desk = await createDesk("{\n\tone();  \n\ttwo();\n}\n");
    await desk.edit({ old_text: "  one();\n  two();\n", new_text: "  one();\n    nested();\n  two();\n" });
    expect(await desk.content()).toBe("{\n\tone();\n\t  nested();\n\ttwo();\n}\n");
  });

  it("is found despite curly quotes, which the replacement keeps", async () => {
    const desk = await createDesk("他说“你好”。\nIt’s “fine”\n");
    expect(await desk.edit({ old_text: '他说"你好"', new_text: '她说"早上好"' })).toContain("quote style");
    await desk.edit({ old_text: 'It\'s "fine"', new_text: "It's 'not' \"fine\"" });
    expect(await desk.content()).toBe("她说“早上好”。\nIt’s ‘not’ “fine”\n");
  });

  it("is shown as a diff when it differs in words", async () => {
    const desk = await createDesk("function add(a, b) {\n  return a + b;\n}\n\nfunction other() {}\n");
    const attempt = desk.edit({ old_text: "function add(a, b) {\n  return a - b;\n}", new_text: "x" });
    await expect(attempt).rejects.toThrow(
      /Lines 1-3 are \d\d % alike:\n--- old_text\n\+\+\+ file\n.*\n- {2}return a - b;\n\+ {2}return a \+ b;/s,
    );
  });

  it("is shown as a diff in Chinese too", async () => {
    const desk = await createDesk("第一行\n今天天气很好，我们去公园。\n第三行\n");
    await expect(desk.edit({ old_text: "今天天气不好，我们去公园。", new_text: "x" })).rejects.toThrow(
      /Lines 2-2 are/,
    );
  });

  it("is shown as a diff when the slip is inside of its only word", async () => {
    const desk = await createDesk("hello\n");
    await expect(desk.edit({ old_text: "helo", new_text: "x" })).rejects.toThrow(
      /Lines 1-1 are \d\d % alike:\n--- old_text\n\+\+\+ file\n-helo\n\+hello/,
    );
  });

  it("is said not to be there when nothing is like it", async () => {
    const desk = await createDesk("alpha\nbeta\n");
    await expect(desk.edit({ old_text: "3| something else entirely", new_text: "x" })).rejects.toThrow(
      /nor anything like it.*Leave out the line numbers/,
    );
  });
});

describe("the rest of the file", () => {
  it("keeps CRLF, also where line ends are mixed, and its byte order mark", async () => {
    const desk = await createDesk("\ufeffone\r\ntwo\r\nthree\nfour\r\n");
    await desk.edit({ old_text: "one\ntwo", new_text: "1\n2\n3" });
    expect(await desk.content()).toBe("\ufeff1\r\n2\r\n3\r\nthree\nfour\r\n");
    await desk.edit({ old_text: "3\r\nthree\r\n", new_text: "" });
    expect(await desk.content()).toBe("\ufeff1\r\n2\r\nfour\r\n");
  });

  it("keeps UTF-16 in either order", async () => {
    const little = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("早上\r\n好\r\n", "utf16le")]);
    const desk = await createDesk(little);
    await desk.edit({ old_text: "好", new_text: "晚\n安" });
    expect(await readFile(join(desk.workspace, "a.txt"))).toEqual(
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("早上\r\n晚\r\n安\r\n", "utf16le")]),
    );
    const big = Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from("早", "utf16le").swap16()]);
    await writeFile(join(desk.workspace, "b.txt"), big);
    await desk.edit({ path: "b.txt", old_text: "早", new_text: "晚" });
    expect((await readFile(join(desk.workspace, "b.txt"))).toString("hex")).toBe("feff665a");
  });

  it("is not risked where it could not be written back", async () => {
    const desk = await createDesk(Buffer.from("c4e3bac3a3accac0bde7", "hex"));
    await expect(desk.edit({ old_text: "x", new_text: "y" })).rejects.toThrow(
      /is in gb18030.*Convert it to UTF-8/,
    );
    await writeFile(join(desk.workspace, "b.txt"), Buffer.from([1, 0, 2]));
    await expect(desk.edit({ path: "b.txt", old_text: "x", new_text: "y" })).rejects.toThrow(/binary/);
  });

  it("keeps every byte around any replacement", async () => {
    const desk = await createDesk("");
    const part = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r\n", " ", "早", "\t"), maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(part, part, part, async (before, after, replacement) => {
        const original = `${before}MARK${after}`;
        await writeFile(join(desk.workspace, "a.txt"), original);
        await desk.edit({ old_text: "MARK", new_text: `x${replacement}x` });
        const content = await desk.content();
        expect(content.startsWith(`${before}x`)).toBe(true);
        expect(content.endsWith(`x${after}`)).toBe(true);
        const middle = content.slice(before.length, content.length - after.length);
        expect(middle.replaceAll("\r\n", "\n")).toBe(`x${replacement.replaceAll("\r\n", "\n")}x`);
      }),
      { numRuns: sampled(40, 150) },
    );
  });
});

describe("empty text", () => {
  it("creates a missing file and fills a blank one, and no other", async () => {
    const desk = await createDesk("  \n");
    expect(await desk.edit({ path: "深/b.txt", old_text: "", new_text: "hi" })).toBe("Created 深/b.txt.");
    await desk.edit({ old_text: "", new_text: "filled" });
    expect(await desk.content()).toBe("filled");
    await expect(desk.edit({ old_text: "", new_text: "again" })).rejects.toThrow(/is not empty/);
    await expect(desk.edit({ path: "c.txt", old_text: "", new_text: "" })).rejects.toThrow(/both empty/);
  });
});

it("never counts as done when nothing changes", async () => {
  const desk = await createDesk("a “b”\n");
  await expect(desk.edit({ old_text: "a", new_text: "a" })).rejects.toThrow(/are the same/);
  await expect(desk.edit({ old_text: 'a "b"', new_text: "a “b”" })).rejects.toThrow(/change nothing/);
  const missing = desk.edit({ path: "a.tx", old_text: "a", new_text: "b" });
  await expect(missing).rejects.toThrow(/Not found: a\.tx\. Did you mean "a\.txt"/);
});

it("does not lose one of two edits at the same time", async () => {
  const desk = await createDesk("one two\n");
  await Promise.all([
    desk.edit({ old_text: "one", new_text: "1" }),
    desk.edit({ old_text: "two", new_text: "2" }),
  ]);
  expect(await desk.content()).toBe("1 2\n");
});

it("finds repeated lines without overlap and without going over them again and again", async () => {
  const desk = await createDesk(` a\n a\n b\n`.repeat(3));
  expect(await desk.edit({ old_text: "a\n\ta\nb", new_text: "c", replace_all: true })).toContain(
    "line 1 changed, line 2 changed",
  );
  expect(await desk.content()).toBe(" c\n c\n c\n");
  const hostile = await createDesk(" a\n".repeat(200_000));
  await expect(hostile.edit({ old_text: `${"a\n".repeat(20_000)}b`, new_text: "c" })).rejects.toThrow(
    /% alike/,
  );
});

it("stays quick on a large file with a long passage that is not there", async () => {
  const desk = await createDesk(`${"lorem ipsum dolor sit amet\n".repeat(40_000)}`);
  const passage = "lorem ipsum dolor sat amet\n".repeat(2000);
  const attempt = runTool(
    createEditFile(
      createFileRoots({ workspaceFor: () => desk.workspace, readRoots: [], isRestricted: true }),
    ),
    { path: "a.txt", old_text: passage, new_text: "x" },
  );
  await expect(attempt).rejects.toThrow(/% alike/);
});
