// Recall in Chinese: two conversations of 500 messages over eight months, with 100 questions about single messages. The
// conversations are put together from bench/samples/recall-chinese.txt: exchanges with something to remember, in each of
// which one message answers a question, between small talk that repeats.
import { readFile } from "node:fs/promises";
import { packagePath } from "../src/lib/package-root.ts";
import { measureRecall, type Sample } from "./recall.ts";

interface Fact {
  /** Who says what is asked for; the other one begins. */
  speaker: string;
  texts: string[];
  question: string;
}

const factsPerSession = 2;
const openings = ["", "对了，", "说起来，", "哎，", "话说，"];
const months = "January February March April May June July August September October November December".split(
  " ",
);

export async function bench(): Promise<void> {
  const samples = toSamples(await readFile(packagePath("bench/samples/recall-chinese.txt"), "utf8"));
  await measureRecall(samples);
}

function toSamples(text: string): Sample[] {
  const parts = text.split(/^# /m).filter(Boolean);
  const rows = parts.map((part) => part.trim().split("\n"));
  const smallTalk = (rows.pop() ?? []).slice(1).map((row) => row.split("|"));
  return rows.map(([names = "", ...facts]) => toSample(names.split(" "), facts.map(toFact), smallTalk));
}

function toFact(row: string): Fact {
  const [speaker = "", ...texts] = row.split("|");
  return { speaker, question: texts.pop() ?? "", texts };
}

/** A session every ten days: small talk, something to remember, small talk, something to remember, small talk. */
function toSample(names: string[], facts: Fact[], smallTalk: string[][]): Sample {
  const [first = "", second = ""] = names;
  const sample: Sample = { sample_id: names.join(" "), conversation: {}, qa: [] };
  let chatted = 0;
  for (let at = 0; at < facts.length; at += factsPerSession) {
    const number = 1 + at / factsPerSession;
    const day = new Date(2025, 0, 5 + 10 * (number - 1));
    const turns: Array<{ speaker: string; dia_id: string; text: string }> = [];
    const say = (speaker: string, text: string) => {
      turns.push({ speaker, dia_id: `D${number}:${turns.length + 1}`, text });
      return `D${number}:${turns.length}`;
    };
    const chat = () => {
      const opening = openings[Math.floor(chatted / smallTalk.length)] ?? "";
      const texts = smallTalk[(chatted * 7) % smallTalk.length] ?? [];
      for (const [turn, text] of texts.entries())
        say(turn % 2 === 0 ? first : second, turn === 0 ? opening + text : text);
      chatted += 1;
    };
    chat();
    for (const [index, { speaker, texts, question }] of facts.slice(at, at + factsPerSession).entries()) {
      const other = speaker === first ? second : first;
      const ids = texts.map((text, turn) => say(turn % 2 === 0 ? other : speaker, text));
      // Every fourth question names the month in which it was said.
      const when = (at + index) % 4 === 3 ? `${day.getFullYear()}年${day.getMonth() + 1}月，` : "";
      sample.qa.push({ question: when + question, evidence: ids.slice(1, 2), category: 1 });
      chat();
    }
    sample.conversation[`session_${number}`] = turns;
    sample.conversation[`session_${number}_date_time`] =
      `8:10 pm on ${day.getDate()} ${months[day.getMonth()]}, ${day.getFullYear()}`;
  }
  return sample;
}
