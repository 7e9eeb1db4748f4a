import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { createZip, type ZipEntry } from "../../../test/support/create-zip.ts";
import { readZip, ZipError } from "./read-zip.ts";

const limits = { files: 10, bytes: 1000 };

function kindOf(archive: Buffer): string | undefined {
  try {
    readZip(archive, limits);
    return undefined;
  } catch (error) {
    if (error instanceof ZipError) return error.kind;
    throw error;
  }
}

test("files come out as they went in, folders are not files", () => {
  const archive = createZip([
    { path: "tea/", content: "", mode: 0o040755 },
    { path: "tea/SKILL.md", content: "# Tea" },
    { path: "tea/茶.sh", content: "boil", mode: 0o100755, method: 0 },
    { path: "tea/empty", content: "" },
  ]);
  const files = readZip(archive, limits).map(({ path, bytes, isExecutable }) => [
    path,
    String(bytes),
    isExecutable,
  ]);
  expect(files).toEqual([
    ["tea/SKILL.md", "# Tea", false],
    ["tea/茶.sh", "boil", true],
    ["tea/empty", "", false],
  ]);
});

describe("an archive is refused", () => {
  const file = { path: "a", content: "abc" };
  it.each<[string, string, ZipEntry[]]>([
    ["with a path that leads out", "unsafe-path", [{ ...file, path: "../a" }]],
    ["with a path that leads out later", "unsafe-path", [{ ...file, path: "x/../../a" }]],
    ["with an absolute path", "unsafe-path", [{ ...file, path: "/etc/a" }]],
    ["with a path of Windows", "unsafe-path", [{ ...file, path: "..\\a" }]],
    ["with a drive", "unsafe-path", [{ ...file, path: "C:a" }]],
    ["with a NUL", "unsafe-path", [{ ...file, path: "a\0b" }]],
    ["with an empty path", "unsafe-path", [{ ...file, path: "" }]],
    ["with a link", "unsafe-path", [{ ...file, mode: 0o120777 }]],
    ["with too many files", "too-large", Array(11).fill(file)],
    ["with a file that is too large", "too-large", [{ ...file, content: "x".repeat(1001) }]],
    [
      "with files that are too large together",
      "too-large",
      Array(3).fill({ ...file, content: "x".repeat(400) }),
    ],
    ["that lies about a size", "too-large", [{ ...file, content: "x".repeat(900), size: 10 }]],
    ["that lies the other way", "not-a-zip", [{ ...file, size: 10 }]],
    ["that is encrypted", "unsupported", [{ ...file, flags: 1 }]],
    ["that is packed strangely", "unsupported", [{ ...file, method: 12 }]],
  ])("%s", (_what, kind, entries) => {
    expect(kindOf(createZip(entries))).toBe(kind);
  });

  it("when it is damaged or none at all", () => {
    expect(kindOf(Buffer.from("hello"))).toBe("not-a-zip");
    expect(kindOf(Buffer.alloc(0))).toBe("not-a-zip");
    const good = createZip([file]);
    const bad = Buffer.from(good);
    bad[32] = (bad[32] ?? 0) ^ 0xff;
    expect(kindOf(bad)).toBe("not-a-zip");
  });
});

test("whatever the bytes are, there are safe files or a reason", () => {
  const good = createZip([
    { path: "a/b", content: "abc" },
    { path: "c", content: "x".repeat(100) },
  ]);
  const flips = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(flips, fc.nat(good.length), (changes, length) => {
      const bytes = Buffer.from(good);
      for (const [index, value] of changes) bytes[index] = value;
      for (const archive of [bytes, bytes.subarray(0, length), bytes.subarray(length)]) {
        if (kindOf(archive) !== undefined) continue;
        const paths = readZip(archive, limits).map(({ path }) => path);
        expect(paths.filter((path) => path.startsWith("/") || path.split("/").includes(".."))).toEqual([]);
      }
    }),
  );
});
