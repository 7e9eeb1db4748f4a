// The demo: a few rules behind the contract of every model, so that the program can be tried without one. It keeps nothing
// between calls; what it does next follows from the conversation alone.
import type { DemoRequest } from "../i18n/en/demo-requests.ts";
import { createWords, type Words } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import { nanobot } from "../lib/program-command.ts";
import { playReply, type ScriptedReply } from "../llm/scripted.ts";
import type { ModelRequest, Provider } from "../llm/types.ts";
import { fileRules } from "./file-rules.ts";
import { recall, remember } from "./memory-rules.ts";
import { applyRules, type Call, type Rule, readTurn, type Turn } from "./rule.ts";
import { readDue, scheduleRules } from "./schedule-rules.ts";

export function createOffline({ clock }: { clock: Clock }): Provider {
  return {
    stream(request, signal) {
      const next = decide(request, readTurn(request, clock));
      return playReply(toReply(next, request), request, signal);
    },
  };
}

function answer(name: DemoRequest, say: (words: Words, turn: Turn) => string): Rule {
  return { name, next: ({ words, ...turn }) => say(words, turn) };
}

const rules: readonly Rule[] = [
  answer("introduction", (words, turn) => withExamples(words.demo.intro, turn, words)),
  answer("tour", (words, turn) => `${words.demo.tour}\n\n${sayConnect(words, turn)}`),
  ...scheduleRules,
  answer("thanks", ({ demo }) => demo.welcome),
  answer("farewell", ({ demo }) => demo.goodbye),
  answer("clockTime", sayTime),
  ...fileRules,
  remember,
  answer("connecting", sayConnect),
  // What no other rule understands may be a fact.
  recall,
];

/** What it says, or the one tool that it calls. */
function decide({ tools = [], toolChoice }: ModelRequest, turn: Turn): string | Call {
  const words = createWords(turn.language);
  const { demo } = words;
  if (turn.text === "") return withExamples(demo.noWords, turn, words);
  const due = readDue(turn.text);
  if (due !== undefined && "says" in due) return due.says;
  const next = applyRules(rules, due?.asks ?? turn.text, turn);
  if (next === undefined) return due ? `⏰ ${due.asks}` : withExamples(demo.notUnderstood, turn, words);
  if (typeof next === "string") return next;
  const isGiven = toolChoice !== "none" && tools.some(({ name }) => name === next.name);
  return isGiven ? next : demo.noTool(next.name);
}

/** Where there are no buttons, three examples and the way to a model are part of the text. */
function withExamples(sentence: string, turn: Turn, words: Words): string {
  if (turn.hasButtons) return sentence;
  const { tryThese, examples } = words.demo;
  const shown = [examples[0], examples[2], examples[7]].map((example) => `- ${example}`);
  return [sentence, "", tryThese, ...shown, "", sayConnect(words, turn)].join("\n");
}

function sayConnect({ demo }: Words, { hasButtons }: Turn): string {
  return hasButtons ? demo.connectOnPage : demo.connect(`\`${nanobot} onboard\``);
}

function sayTime({ demo, schedule }: Words, { time }: Turn): string {
  const { weekdays } = createWords("english").schedule;
  const day = weekdays.findIndex((name) => time.includes(name));
  return demo.time(day < 0 ? time : time.replace(weekdays[day] ?? "", schedule.weekdays[day] ?? ""));
}

function toReply(next: string | Call, { messages }: ModelRequest): ScriptedReply {
  if (typeof next === "string") return { deltas: next.match(/[\s\S]{1,24}/gu) ?? [] };
  // Messages only ever become more, so their number makes the id unique within a conversation.
  return { toolCalls: [{ ...next, id: `offline_${messages.length}` }] };
}
