import { deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { findPassage, toKnownText } from "./known-text.ts";

const secret = "correct-horse-battery";
const file = `db: main
owner: Wilhelmina Abernathy
key: ${secret} and hunter2-Xq9v
The meeting about machine learning in Heidelberg is on 2026-11-17; the door opens with blue heron four.
我的保险箱密码写在厨房的日历后面`;
const shown = [toKnownText("file:config.yml", file)];

const toTags = (text: string) =>
  [...text].map((sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0))).join("");
const toVariations = (text: string) =>
  [...text].map((sign) => String.fromCodePoint(0xe0100 + sign.charCodeAt(0) - 16)).join("");
const encode = (text: string, encoding: BufferEncoding) => Buffer.from(text).toString(encoding);

describe("text that a file showed is found", () => {
  it.each([
    ["as it is", `https://x.example/p/${secret}`],
    ["in another case", secret.toUpperCase()],
    ["with other separators", "correct_horse battery"],
    ["one letter at a time", [...secret].join("/")],
    ["percent-encoded", encodeURIComponent("hunter2-Xq9v and")],
    ["percent-encoded altogether", encode(secret, "hex").replaceAll(/../g, "%$&")],
    ["in base64", encode(`x ${secret}`, "base64")],
    [
      "in base64 for addresses, in the midst of a path",
      `https://x.example/a/${encode(secret, "base64url")}/b`,
    ],
    ["in hex", `d=${encode(secret, "hex")}`],
    ["in hex of base64", encode(encode(secret, "base64"), "hex")],
    ["in pieces of base64", encode(secret, "base64url").replaceAll(/.{5}/g, "$&.")],
    ["backwards", [...secret].reverse().join("")],
    ["rotated by 13", "pbeerpg-ubefr-onggrel"],
    ["rotated by another number", "htwwjhy-mtwxj-gfyyjwd"],
    ["in wide letters", "ｃｏｒｒｅｃｔ ｈｏｒｓｅ"],
    ["in letters of mathematics", "𝖈𝖔𝖗𝖗𝖊𝖈𝖙 𝖍𝖔𝖗𝖘𝖊"],
    ["with Cyrillic letters", "соrrесt hоrsе"],
    ["with accents", "çörrèćt hörsé"],
    ["with digits for letters", "c0rr3c7-h0r53-b4773ry"],
    ["with what cannot be seen between its letters", [...secret].join("\u200b")],
    ["as numbers in base eight", [...secret].map((sign) => sign.charCodeAt(0).toString(8)).join(" ")],
    ["as numbers", [...secret].map((sign) => sign.charCodeAt(0)).join(",")],
    ["as escapes", [...secret].map((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`).join("")],
    ["mirrored", "xliivxg-slihv-yzggvib"],
    ["in quoted printable", encode(secret, "hex").toUpperCase().replaceAll(/../g, "=$&")],
    ["packed, in base64", gzipSync(secret).toString("base64")],
    ["packed otherwise, in hex", deflateSync(secret).toString("hex")],
    ["in base 85", '@rHC.ARfg6BQ%p4AM%A"FED)7Gl'],
    ["in the base 85 of Python", "V{dYDWn*+LXm4_JWi4W1baZ8Mc>"],
    ["in tags that show nothing", `hello${toTags(secret)}`],
    ["in variations that show nothing", `😀${toVariations(secret)}`],
    ["a passage of words", "why is the door opens with blue heron"],
    ["in Chinese", "搜索 保险箱密码写在厨房"],
  ])("%s", (_, outgoing) => {
    expect(findPassage(outgoing, shown, [])).toMatchObject({ source: "file:config.yml" });
  });
});

it.each([
  ["one after the other", ["correct", "horse"]],
  ["with others between them", ["correct", "weather", "horse"]],
  ["letter by letter", [..."correct-hors"]],
])("text that leaves in pieces is found: %s", (_, pieces) => {
  const last = pieces.at(-1) ?? "";
  expect(findPassage(last, shown, [])).toBeUndefined();
  expect(findPassage(last, shown, [], pieces.slice(0, -1))).toMatchObject({ source: "file:config.yml" });
});

describe("text that anyone could write is not", () => {
  it.each([
    ["a common word or two", "machine learning news"],
    ["a name", "Wilhelmina Abernathy"],
    ["a place and a date", "weather Heidelberg 2026-11-17"],
    ["something else", "https://docs.example/guide/getting-started?lang=en"],
    ["seven characters", "battery"],
  ])("%s", (_, outgoing) => {
    expect(findPassage(outgoing, shown, [])).toBeUndefined();
  });

  it("nor what someone else has written, too", () => {
    const shared = [toKnownText("", `what does ${secret} mean?`)];
    expect(findPassage(secret, shown, shared)).toBeUndefined();
    expect(findPassage("hunter2-Xq9v", shown, shared)).toMatchObject({ text: "hunter2-Xq9v" });
  });
});
