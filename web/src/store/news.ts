// What happened in conversations that the person may not be looking at: answers, reminders, questions, failures. Pure;
// what of it is shown, and how, is decided elsewhere.
import type { Shown, ShownTask } from "../../../src/api/chat/wire.ts";

export interface NewsItem {
  seq: number;
  at: number;
  kind: "answer" | "reminder" | "ask" | "failed";
  sessionKey: string;
  /** The beginning of what was said; "" where nothing was. */
  text: string;
}

interface TurnText {
  task?: ShownTask;
  text: string;
}

export interface News {
  /** Turns that run, by their ids. */
  turns: ReadonlyMap<string, TurnText>;
  /** The latest ones. */
  items: readonly NewsItem[];
}

export const noNews: News = { turns: new Map(), items: [] };

interface Event {
  seq: number;
  at: number;
  sessionKey: string;
  shown: Shown;
}

const longest = 200;
const mostItems = 20;
const mostTurns = 200;

export function reduceNews(news: News, event: Event): News {
  const { shown } = event;
  if (shown.type === "said") return withTurn(news, shown.turnId, { text: "", ...pickTask(shown) });
  if (shown.type === "aside" && (shown.kind === "message" || shown.isFailure))
    return withItem(news, event, {
      kind: shown.isFailure ? "failed" : "answer",
      text: cut(shown.text),
    });
  return shown.type === "live" ? reduceLive(news, event, shown) : news;
}

function reduceLive(news: News, event: Event, { turnId, body }: Extract<Shown, { type: "live" }>): News {
  const turn = news.turns.get(turnId) ?? { text: "" };
  switch (body.type) {
    case "text-delta":
      if (turn.text.length >= longest) return news;
      return withTurn(news, turnId, { ...turn, text: cut(turn.text + body.text) });
    case "step-start":
    case "text-reset":
      return turn.text === "" ? news : withTurn(news, turnId, { ...turn, text: "" });
    case "ask-start":
      return withItem(news, event, { kind: "ask", text: "" });
    case "turn-end": {
      const turns = new Map(news.turns);
      turns.delete(turnId);
      const over = { ...news, turns };
      // A failure has a notice that follows it, and a stopped turn is no news.
      if (body.stop !== "completed") return over;
      const { task, text } = turn;
      return withItem(over, event, { kind: task ? "reminder" : "answer", text: text || (task?.name ?? "") });
    }
    default:
      return news;
  }
}

function pickTask({ task }: { task?: ShownTask }): Pick<TurnText, "task"> {
  return task === undefined ? {} : { task };
}

function withTurn(news: News, turnId: string, turn: TurnText): News {
  const others = [...news.turns].filter(([id]) => id !== turnId).slice(1 - mostTurns);
  return { ...news, turns: new Map([...others, [turnId, turn]]) };
}

function withItem(news: News, { seq, at, sessionKey }: Event, item: Pick<NewsItem, "kind" | "text">): News {
  return { ...news, items: [...news.items.slice(1 - mostItems), { seq, at, sessionKey, ...item }] };
}

function cut(text: string): string {
  return text.length > longest ? text.slice(0, longest) : text;
}
