// Rules of the demo about its memory: facts that a person states are kept as lines of a file, and questions are answered with
// the facts that share most words with them.
import { append, toCall, toLines, toListItem } from "./file-rules.ts";
import type { Rule } from "./rule.ts";

const memoryFile = "memory/MEMORY.md";

export const remember: Rule = {
  name: "remember",
  longest: 20_000,
  isVerbatim: true,
  take: ({ fact = "" }) => (fact.trim() === "" ? undefined : { line: toListItem(fact) }),
  next(step) {
    const { line = "" } = step.subject;
    const { remembered, alreadyKnown } = step.words.demo;
    const isShort = line.length < 200 && !line.includes("\n");
    const done = remembered(isShort ? toYou(line.slice(2)) : "").trim();
    const heading = "Long-term Memory";
    return append(step, { path: memoryFile, lines: [line], heading, done, already: alreadyKnown });
  },
};

/** Everything, or what a question is about. */
export const recall: Rule = {
  name: "recall",
  take: (groups) => groups,
  next({ subject: { question }, result, words: { demo } }) {
    if (result === undefined) return toCall("read_file", { path: memoryFile });
    const facts = toLines(result.text).flatMap((line) =>
      /^\s*(?:#.*)?$/.test(line) ? [] : line.replace(/^\s*[-*]\s+/, "").trim(),
    );
    if (question !== undefined) return findFacts(question, facts).map(toYou).join("\n") || demo.unknown;
    return facts.length === 0
      ? demo.noMemories
      : [demo.memories, "", ...facts.map((fact) => `- ${toYou(fact)}`)].join("\n");
  },
};

const englishFillers =
  /^(?:what|who|where|when|which|whose|how|is|are|was|were|do|does|did|am|be|has|have|had|the|an?|of|my|i|me|our|we|us|it|in|on|at|to|for|s|m|you|old|many|know)$/;
const chineseFillers = /什么|名字|哪[里儿个]?|多少|谁|的|是|叫|在|我|你|了|几|啥/g;

/** What a text is about: its words without those that every question has, and pairs of Chinese characters. */
function toTopics(text: string): Set<string> {
  const plain = text.toLowerCase().replace(/\b(?:my name|i am called|i'm called|call me)\b/g, "myname");
  const words = (plain.match(/[\p{Script=Latin}\p{N}]+/gu) ?? []).filter(
    (word) => !englishFillers.test(word),
  );
  const runs = plain.replace(chineseFillers, " ").match(/\p{Script=Han}+/gu) ?? [];
  const pairs = runs.flatMap((run) =>
    run.length === 1 ? [run] : (run.match(/(?<=(.))./gu) ?? []).map((sign, index) => `${run[index]}${sign}`),
  );
  // A name is also what a person is called.
  const named = words.map((word) =>
    /^(?:called|named?)$/.test(word) ? "name" : word.replace(/(?<=\w{3})s$/, ""),
  );
  return new Set([...named, ...pairs]);
}

/** Those that share most with the question, and more than that something has a name. */
function findFacts(question: string, facts: string[]): string[] {
  const topics = toTopics(question);
  const isAboutMe = /\b(?:do|am|did|was) i\b/i.test(question);
  const scores = facts.map((fact) => {
    const known = toTopics(fact);
    const shared = [...topics].filter((topic) => known.has(topic));
    const score = shared.reduce((sum, topic) => sum + (topic === "name" ? 0.5 : 1), 0);
    return score + (isAboutMe && /^i\b/i.test(fact) ? 0.25 : 0);
  });
  const best = Math.max(...scores);
  return best < 1 ? [] : facts.filter((_, index) => scores[index] === best).slice(0, 3);
}

const turned: Record<string, string> = {
  ...{ i: "you", me: "you", my: "your", mine: "yours", we: "you", our: "your", us: "you" },
  ...{ "i am": "you are", "i'm": "you are", "i was": "you were" },
};

/** A fact that a person stated about themselves, repeated to them. */
function toYou(fact: string): string {
  const said = fact
    .replace(/\b(?:i am|i'm|i was|i|me|my|mine|we|our|us)\b/gi, (word) => turned[word.toLowerCase()] ?? word)
    .replaceAll("我", "你")
    .replace(/[\s.。]+$/, "");
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${/\p{Script=Han}$/u.test(said) ? "。" : "."}`;
}
