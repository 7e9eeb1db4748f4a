// The connection as a browser makes it: same origin, with the cookie that signing in left.
import type { Refusal } from "../store/reduce.ts";
import type { Store } from "../store/store.ts";
import { catalogues, type Language } from "../words/index.ts";
import { Connection, newId } from "./connection.ts";

export function createBrowserConnection(store: Store): Connection {
  const connection = new Connection({
    openSocket() {
      const socket = new WebSocket(toSocketUrl(location));
      setTimeout(() => socket.readyState === WebSocket.CONNECTING && socket.close(), 5_000);
      return socket;
    },
    isKnown: () => isKnown(store),
    dispatch: store.dispatch,
    newId,
    language: () => (document.documentElement.lang === "en" ? "english" : "chinese"),
    describeExcess: () => catalogues[document.documentElement.lang as Language].shell.tooLarge,
    schedule: (run, ms) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    random: Math.random,
  });
  // Woken from sleep or back on the network: waiting out the pause would only annoy.
  const look = () => {
    if (document.hidden) return;
    if (store.get().link === "offline") void connection.connect();
    else connection.check();
  };
  addEventListener("online", look);
  document.addEventListener("visibilitychange", look);
  setInterval(look, 15_000);
  return connection;
}

function toSocketUrl({ protocol, host, pathname }: Location): string {
  const folder = pathname.slice(0, pathname.lastIndexOf("/"));
  return `${protocol === "https:" ? "wss:" : "ws:"}//${host}${folder}/api/socket`;
}

async function isKnown(store: Store): Promise<boolean> {
  const answer = await fetch("./api/me", { headers: { accept: "application/json" } });
  const command = answer.headers.get("x-nanobot-command");
  if (command !== null) store.dispatch({ type: "named", command });
  if (answer.status === 401 || answer.status === 403) return false;
  if (!answer.ok) throw new Error(`the gateway answered ${answer.status}`);
  return true;
}

/** Trades the token of the address for a cookie. The token leaves the address, whether or not it was good. */
export async function enterByAddress(): Promise<Entry | undefined> {
  // A link that is opened where the page is open already changes only this part of the address. A link before it is traded
  // first: it would be used up, and its cookie lost with the page.
  addEventListener("hashchange", () => readToken() !== null && void trade.then(() => location.reload()));
  const token = readToken();
  if (token === null) return undefined;
  history.replaceState(null, "", location.pathname);
  return enter(token);
}

function readToken(): string | null {
  return new URLSearchParams(location.hash.replace(/^#\/?/, "")).get("token");
}

type Entry = "in" | Refusal;

const refusals: Record<number, Refusal> = { 409: "other", 429: "often" };

let trade: Promise<unknown> = Promise.resolve();

/** By a token, or a key of the gateway. */
export function enter(token: string): Promise<Entry> {
  const entry = tradeForCookie(token);
  trade = entry;
  return entry;
}

async function tradeForCookie(token: string): Promise<Entry> {
  const answer = await fetch("./api/enter", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  }).catch(() => undefined);
  if (answer === undefined) return "unreachable";
  return answer.ok ? "in" : (refusals[answer.status] ?? "wrong");
}

/** A new link in the gateway's terminal, for the person who sits there. */
export async function askForLink(): Promise<"shown" | "noTerminal" | "often" | "unreachable"> {
  const answer = await fetch("./api/link", { method: "POST" }).catch(() => undefined);
  if (answer === undefined) return "unreachable";
  if (answer.status === 429) return "often";
  return answer.ok ? "shown" : "noTerminal";
}
