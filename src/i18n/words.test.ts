import { describe, expect, it } from "vitest";
import { describeWording } from "../../test/support/wording.ts";
import { createWords, detectLanguage, readApprovalAnswer } from "./words.ts";

type Leaf = string | string[] | ((...parameters: string[]) => string);

function flatten(value: object, prefix = ""): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  for (const [key, child] of Object.entries(value)) {
    const path = `${prefix}${key}`;
    const isGroup = typeof child === "object" && !Array.isArray(child);
    if (isGroup) for (const [inner, leaf] of flatten(child, `${path}.`)) leaves.set(inner, leaf);
    else leaves.set(path, child);
  }
  return leaves;
}

function markersOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `<parameter ${index}>`);
}

function render(leaf: Leaf): string {
  if (Array.isArray(leaf)) return leaf.join(" ");
  // More markers than any function takes: a language that uses one parameter fewer must not hide behind its length.
  return typeof leaf === "string" ? leaf : leaf(...markersOf(6));
}

const { phrases: englishPhrases, ...englishWords } = createWords("english");
const { phrases: chinesePhrases, ...chineseWords } = createWords("chinese");
const english = flatten(englishWords);
const chinese = flatten(chineseWords);

describeWording("the catalogue", () => {
  it("has the same keys in both languages", () => {
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it.each([...english.keys()])("%s says something and shows the same parameters in both languages", (key) => {
    const [inEnglish, inChinese] = [english.get(key) ?? "", chinese.get(key) ?? ""];
    expect(typeof inChinese).toBe(typeof inEnglish);
    expect(render(inEnglish).trim()).not.toBe("");
    expect(render(inChinese).trim()).not.toBe("");
    const shown = (leaf: Leaf) => markersOf(6).filter((marker) => render(leaf).includes(marker));
    expect(shown(inChinese)).toEqual(shown(inEnglish));
    if (typeof inEnglish === "function") expect(shown(inEnglish)).toHaveLength(inEnglish.length);
  });

  it("leaves out the suggestion where there is none", () => {
    expect(createWords("english").usage.unknownCommand("foo")).toBe('There is no command "foo".');
    expect(createWords("chinese").usage.unknownCommand("foo")).toBe("没有“foo”这个命令。");
  });

  it("knows one from many in English", () => {
    expect(createWords("english").reply.stopped(1)).toBe("Stopped 1 task.");
    expect(createWords("english").reply.stopped(2)).toBe("Stopped 2 tasks.");
  });
});

describeWording("a coded sentence", () => {
  /** Each parameter is shown as its own name; a list has one entry, a nested phrase is said as it is. */
  function renderEntry(entry: unknown): string {
    if (typeof entry !== "function") return String(entry);
    const params = new Proxy({}, { get: (_, name) => [`<${String(name)}>`] });
    return String(entry(params, { program: "<program>", say: String }));
  }
  const shown = (text: string) => [...new Set(text.match(/<[^>]+>/g))].sort();

  it.each(Object.keys(englishPhrases))("%s shows the same parameters in both languages", (code) => {
    const inEnglish = renderEntry(englishPhrases[code as keyof typeof englishPhrases]);
    const inChinese = renderEntry(chinesePhrases[code as keyof typeof chinesePhrases]);
    expect(inEnglish.trim()).not.toBe("");
    expect(inChinese.trim()).not.toBe("");
    expect(shown(inChinese)).toEqual(shown(inEnglish));
  });
});

describe("detectLanguage", () => {
  it.each([
    [{ LANG: "zh_CN.UTF-8" }, "chinese"],
    [{ LANG: "zh-Hans" }, "chinese"],
    [{ LANG: "zh" }, "chinese"],
    [{ LANG: "en_US.UTF-8" }, "english"],
    [{ LANG: "zhuang" }, "english"],
    [{}, "english"],
    [{ LANG: "zh_CN.UTF-8", LC_ALL: "C" }, "english"],
    [{ LANG: "en_GB", LC_MESSAGES: "zh_TW" }, "chinese"],
    [{ LANG: "zh_CN", LC_ALL: "" }, "chinese"],
  ] as const)("%j is %s", (env, language) => {
    expect(detectLanguage(env)).toBe(language);
  });
});

describe("readApprovalAnswer", () => {
  it.each([
    ["y", "once"],
    [" Yes. ", "once"],
    ["好的", "once"],
    ["可以！", "once"],
    ["Session", "session"],
    ["ALWAYS", "always"],
    ["本次会话", "session"],
    ["总是", "always"],
    ["n", "no"],
    ["不行", "no"],
    ["", undefined],
    ["yes, but use another folder", undefined],
    ["yesterday", undefined],
  ] as const)("takes %j for %s", (text, answer) => {
    expect(readApprovalAnswer(text)).toBe(answer);
  });

  it("never reads one word as two different answers", () => {
    const all = (["english", "chinese"] as const).map((language) => createWords(language).approval.answers);
    const words = (["once", "session", "no"] as const).map((answer) => [
      ...new Set(all.flatMap((answers) => answers[answer])),
    ]);
    expect(words.flat()).toHaveLength(new Set(words.flat()).size);
  });
});
