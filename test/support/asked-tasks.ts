// The messages of a campaign, each a task with a number, and the tally of what was lost, answered twice or sent twice. Needs
// no test runner.
import { setTimeout as sleep } from "node:timers/promises";
import type { ToldMessage } from "./campaign-platform.ts";
import { type ChatScene, until } from "./chat-scene.ts";
import { answeredIn, isApology, kinds, type Task, tellChat } from "./task-model.ts";

export interface TaskTally {
  asked: number;
  /** Messages that got neither an answer nor an apology that quotes them. */
  lost: number;
  /** Commands that ran more than once. */
  doubleEffects: number;
  /** Messages that two different answers answer. */
  doubleAnswers: number;
  /** Messages that arrived more than once for no good reason. */
  doubleSends: number;
  /** Those whose first copy arrived so shortly before a kill that nobody could have noted it: Telegram takes no key. */
  resent: number;
  /** Beginnings of answers that stayed behind for the same reason. */
  strayDrafts: number;
  /** Set aside with an apology after the third death. */
  setAside: number;
}

interface Asked extends Task {
  chat: number;
}

/** Between its two ends nobody could note what was sent. */
export interface Fault {
  from: number;
  to: number;
}

/** In which a sent message is surely noted, also on a busy machine. */
export const noticeMs = 500;
/** In which a request that was on its way when its sender died still arrives. */
const arrivalMs = 100;
const lastLooks = 5;

export class AskedTasks {
  readonly #chats: ChatScene;
  readonly #asked: Asked[] = [];

  constructor(chats: ChatScene) {
    this.#chats = chats;
  }

  /** So many messages in one breath. */
  say(chat: number, count: number, upTo: (most: number) => number): void {
    for (let more = 0; more < count; more++) this.#ask(chat, kinds[upTo(kinds.length)] ?? "plain");
  }

  /** A busy machine takes as long as it takes: given up is only what gets no further. */
  async settle(patienceMs: number): Promise<void> {
    const countOpen = () => this.#asked.filter((task) => !this.#isSettled(task)).length;
    for (let open = countOpen(), before = open + 1; open > 0 && open < before; ) {
      before = open;
      await until(() => countOpen() < before, patienceMs);
      open = countOpen();
    }
    await sleep(noticeMs);
    for (const task of this.#asked.filter((each) => !this.#isSettled(each)))
      process.stderr.write(`lost: ${task.kind} ${task.number}; told: ${this.#chats.toldIn(task.chat)}\n`);
  }

  /** Sessions whose next message gets no answer. */
  async countBricked(patienceMs: number): Promise<number> {
    const chats = [...new Set(this.#asked.map(({ chat }) => chat))].slice(-lastLooks);
    const looks = chats.map((chat) => this.#ask(chat, "plain"));
    await until(() => looks.every((look) => this.#answersTo(look).length > 0), patienceMs);
    return looks.filter((look) => this.#answersTo(look).length === 0).length;
  }

  tally(effects: readonly string[], faults: readonly Fault[]): TaskTally {
    const own = this.#chats.platform.told();
    const isWhole = (message: ToldMessage) =>
      answeredIn(message.text).length > 0 || isApology(message.text) || message.chatId === tellChat;
    const { doubleSends, resent } = countCopies(own.filter(isWhole), faults);
    const isDoubled = (task: Asked) => new Set(this.#answersTo(task)).size > 1;
    return {
      asked: this.#asked.length,
      lost: this.#asked.filter((task) => !this.#isSettled(task)).length,
      doubleEffects: effects.length - new Set(effects).size,
      doubleAnswers: this.#asked.filter(isDoubled).length,
      doubleSends,
      resent,
      strayDrafts: own.filter((message) => !isWhole(message)).length,
      setAside: this.#asked.filter((task) => this.#isApologised(task)).length,
    };
  }

  #ask(chat: number, kind: Task["kind"]): Asked {
    const task = { chat, kind, number: this.#asked.length };
    this.#asked.push(task);
    this.#chats.ask(chat, `${kind} ${task.number}`);
    return task;
  }

  #isSettled(task: Asked): boolean {
    return this.#answersTo(task).length > 0 || this.#isApologised(task);
  }

  #isApologised({ chat, kind, number }: Asked): boolean {
    const quote = new RegExp(`${kind} ${number}\\b`);
    return this.#chats.toldIn(chat).some((text) => isApology(text) && quote.test(text));
  }

  #answersTo({ chat, number }: Asked): string[] {
    return this.#chats.toldIn(chat).filter((text) => answeredIn(text).includes(number));
  }
}

function countCopies(messages: readonly ToldMessage[], faults: readonly Fault[]) {
  const counts = { doubleSends: 0, resent: 0 };
  for (const [index, first] of messages.entries()) {
    const again = messages
      .slice(index + 1)
      .find(({ chatId, text }) => chatId === first.chatId && text === first.text);
    if (again === undefined) continue;
    const isCut = faults.some(
      ({ from, to }) => to > first.at - arrivalMs && from - first.at < noticeMs && from < again.at,
    );
    counts[isCut ? "resent" : "doubleSends"] += 1;
  }
  return counts;
}
