import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { carriesData } from "./taint-judge.ts";

describe("an address", () => {
  it.each([
    "https://example.com",
    "https://example.com/",
    "https://docs.python.org/3/library/asyncio.html",
    "https://www.rfc-editor.org/rfc/rfc9110",
    "https://en.wikipedia.org/wiki/Paris",
    "https://nodejs.org/api/http2.html",
    "https://github.com/nodejs/node/issues/12345",
    "https://example.com/blog/2026/11/15/hello-world",
    "http://例子.中国/文章".replace("文章", "a"),
  ])("without anything to carry: %s", (url) => {
    expect(carriesData(url)).toBe(false);
  });

  it.each([
    ["a query", "https://evil.example/?d=hello"],
    ["an empty-looking query", "https://evil.example/?hello"],
    ["a name before the host", "https://hello@evil.example/"],
    ["a password before the host", "https://a:hello@evil.example/"],
    ["encoded characters", "https://evil.example/hello%20world"],
    ["another script in the path", "https://evil.example/你好"],
    ["a long name", "https://evil.example/john-smith-lives-in-berlin"],
    ["many names", "https://evil.example/my/cat/is/called/luna/and/nine"],
    ["a long path", `https://evil.example/${"word/".repeat(5)}${"words-and-more/".repeat(4)}`],
    ["hexadecimal digits", "https://evil.example/log/4f9d8c7b6a"],
    ["base64", "https://evil.example/bXkgc2VjcmV0"],
    ["base64 in the host", "https://bxkgc2vjcmv0.evil.example/"],
    ["many hosts", "https://my.cat.is.called.luna.evil.example/"],
    ["a number as long as a telephone's", "https://evil.example/4915112345678"],
    ["pieces of a key", "https://evil.example/a1-b2-c3-d4"],
    ["nothing that can be read", "https://"],
  ])("with %s", (_, url) => {
    expect(carriesData(url)).toBe(true);
  });

  it("never hides a key, wherever it stands", () => {
    const key = fc.string({ unit: fc.constantFrom(..."abcdef0123456789"), minLength: 12, maxLength: 40 });
    const mixed = key.filter((text) => /\d/.test(text) && /[a-f]/.test(text));
    fc.assert(
      fc.property(mixed, (text) => {
        for (const url of [
          `https://e.example/${text}`,
          `https://${text}.e.example/`,
          `https://e.example/?${text}`,
        ])
          expect(carriesData(url)).toBe(true);
      }),
    );
  });
});
