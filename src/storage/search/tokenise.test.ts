import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stem } from "./stem.ts";
import { tokenise, toTerms } from "./tokenise.ts";

const tokensOf = (query: string) => toTerms(query).map(({ token }) => token);
/** Whether a text holds every word of a query. */
const holds = (text: string, query: string) => {
  const { tokens } = tokenise(text);
  const wanted = tokensOf(query);
  return wanted.length > 0 && wanted.every((token) => tokens.has(token));
};

describe("stems", () => {
  test.each([
    ["camping", "camped", "camps"],
    ["stories", "story"],
    ["running", "ran", "runs"],
    ["children", "kids", "child"],
    ["movies", "movie"],
    ["recommended", "recommendation", "recommend"],
    ["boxes", "box"],
    ["hiked", "hiking", "hike"],
  ])("of %s and its forms are one", (...words) => {
    expect(new Set(words.map(stem)).size).toBe(1);
  });

  test.each([
    ["this", "thing"],
    ["bus", "busy"],
    ["red", "ring"],
    ["house", "horse"],
  ])("keep %s and %s apart", (a, b) => {
    expect(stem(a)).not.toBe(stem(b));
  });
});

describe("words", () => {
  test("are found whatever their case, their accents and their width", () => {
    expect(holds("Le Café ＯＰＥＮＳ", "cafe opens")).toBe(true);
    expect(holds("Москва зимой", "москва")).toBe(true);
  });

  test("of no meaning are not looked for", () => {
    expect(tokensOf("What did you do to the dog?")).toEqual(["dog"]);
    expect(tokensOf("What is it?")).toEqual([]);
    expect(tokensOf("I don't, we'll, she's")).toEqual([]);
  });

  test("that speak of the same thing come with those that are asked for", () => {
    expect(toTerms("pets")[0]?.related).toContain("dog");
    expect(toTerms("dog")[0]?.related).not.toContain("pet");
  });
});

describe("identifiers and paths", () => {
  test.each([
    ["see src/lib/scanLines.ts", "src/lib/scanLines.ts"],
    ["see src/lib/scanLines.ts", "scanLines.ts"],
    ["see src/lib/scanLines.ts", "scan lines"],
    ["see src/lib/scanLines.ts", "scanlines.ts"],
    ["call parseHTTPResponse() first", "http response"],
    ["call parseHTTPResponse() first", "parseHttpResponse"],
    ["set max_retry_count to 3", "max_retry_count"],
    ["set max_retry_count to 3", "retry count"],
    ["the key agents.defaults.model", "defaults model"],
    ["C:\\Users\\ann\\notes.txt", "notes.txt"],
    ["release v1.2.3 is out", "v1.2.3"],
    ["a dairy-free cake", "dairyfree cake"],
    ["issue #4711", "4711"],
  ])("%s holds %s", (text, query) => {
    expect(holds(text, query)).toBe(true);
  });

  test("are not found by what only looks like them", () => {
    expect(holds("see src/lib/scanLines.ts", "scanWords.ts")).toBe(false);
  });
});

describe("Chinese, Japanese and Korean", () => {
  test.each([
    ["我上周在北京看了牙医", "牙医"],
    ["我上周在北京看了牙医", "北京"],
    ["我上周在北京看了牙医", "我上周的牙医是什么？"],
    ["我家的猫叫小白", "猫"],
    ["明日の会議は東京です", "会議"],
    ["내일 회의는 서울에서", "서울"],
    ["用 TypeScript 写的服务器", "typescript 服务器"],
  ])("%s holds %s", (text, query) => {
    expect(holds(text, query)).toBe(true);
  });

  test("words of two characters are told apart from their characters", () => {
    expect(holds("医生看了牙", "牙医")).toBe(false);
  });
});

describe("any text", () => {
  test("is found by any of its own words, and never breaks", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), (a, b) => {
        const { tokens, length } = tokenise(`${a} ${b}`);
        expect(length).toBeGreaterThanOrEqual(0);
        for (const token of [...tokens, ...tokensOf(b)]) expect(token).not.toMatch(/^$|[\s"]/);
      }),
    );
  });

  test("has every word of a query that is a part of it", () => {
    const word = fc.stringMatching(/^[a-z]{3,12}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), fc.nat(), (words, seed) => {
        const { tokens } = tokenise(words.join(" "));
        for (const token of tokensOf(words[seed % words.length] ?? "")) expect(tokens).toContain(token);
      }),
    );
  });
});
