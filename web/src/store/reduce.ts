// The state of the page, and the reducer over everything that arrives or is sent. Pure; knows no socket.
import type { OpenedSession, SessionCard } from "../../../src/api/chat/wire.ts";
import type { GatewayEvent, Problem, Topic, Viewer } from "../../../src/server/protocol.ts";
import { type Conversation, newConversation, type Outgoing } from "./conversation.ts";
import { type News, noNews, reduceNews } from "./news.ts";
import { open, prepend, settle, type TimedEvent, take } from "./reduce-conversation.ts";

/** `signed-out`: the gateway does not know this browser. `outdated`: it uses another protocol version. */
type Link = "connecting" | "online" | "offline" | "signed-out" | "outdated";

/** Why a link or key did not sign in. `other`: it is another person's, and this browser is signed in. */
export type Refusal = "wrong" | "often" | "other" | "unreachable";

export interface State {
  link: Link;
  viewer?: Viewer;
  /** Why the link by which the page was opened did not sign it in. */
  refusal?: Refusal;
  version?: string;
  /** The command of the program in a terminal. */
  command: string;
  /** Grows when events were missed: queries ask again. */
  generation: number;
  /** Grows with every change of a topic. */
  topics: Partial<Record<Topic, number>>;
  /** Absent until loaded. */
  sessions?: ReadonlyMap<string, SessionCard>;
  conversations: ReadonlyMap<string, Conversation>;
  news: News;
  /** Of operations that this page has called, oldest first. */
  questions: readonly PendingQuestion[];
  /** Progress of operations that this page has called, by request. */
  progress: ReadonlyMap<string, Progress>;
  /** The latest lines of the log, while it is followed. */
  logs: readonly string[];
}

type Progress = Extract<GatewayEvent, { type: "progress" }>;
export type PendingQuestion = Extract<GatewayEvent, { type: "question" }>;

export type Action =
  | { type: "link"; link: Link }
  | { type: "refused"; refusal: Refusal }
  | { type: "named"; command: string }
  | { type: "welcome"; viewer: Viewer; version: string; isResumed: boolean }
  | { type: "event"; seq: number; at: number; event: GatewayEvent }
  /** The question of that request is over, or the request itself. */
  | { type: "answered"; requestId: string }
  | { type: "sessions-listed"; sessions: SessionCard[] }
  | { type: "session-labelled"; session: SessionCard }
  /** Requested: events are kept until the answer arrives. */
  | { type: "open-started"; sessionKey: string }
  | { type: "opened"; opened: OpenedSession }
  | { type: "open-failed"; sessionKey: string; problem: Problem }
  | { type: "older-loaded"; opened: OpenedSession }
  | { type: "sending"; sessionKey: string; message: Outgoing }
  | { type: "sent"; sessionKey: string; requestId: string; turnId: string }
  | { type: "send-failed"; sessionKey: string; requestId: string; problem: Problem }
  | { type: "send-dropped"; sessionKey: string; requestId: string };

export const initialState: State = {
  link: "connecting",
  command: "nanobot",
  generation: 0,
  topics: {},
  conversations: new Map(),
  news: noNews,
  questions: [],
  progress: new Map(),
  logs: [],
};

const mostConversations = 8;
const mostLogLines = 2_000;

export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case "link":
      return state.link === action.link ? state : { ...state, link: action.link };
    case "refused":
      return { ...state, refusal: action.refusal };
    case "named":
      return { ...state, command: action.command };
    case "welcome":
      return welcome(state, action);
    case "event":
      return reduceEvent(state, action);
    case "answered":
      return {
        ...state,
        questions: withoutQuestion(state, action.requestId),
        progress: new Map([...state.progress].filter(([requestId]) => requestId !== action.requestId)),
      };
    case "sessions-listed":
      return { ...state, sessions: new Map(action.sessions.map((session) => [session.key, session])) };
    case "session-labelled":
      return withSession(state, action.session);
    case "open-started":
      return startOpening(state, action.sessionKey);
    case "opened":
      return change(withSession(state, action.opened.session), action.opened.session.key, (conversation) =>
        open(conversation, action.opened),
      );
    case "open-failed":
      return change(state, action.sessionKey, (conversation) => ({
        ...conversation,
        status: "failed",
        problem: action.problem,
        waiting: [],
      }));
    case "older-loaded":
      return change(state, action.opened.session.key, (conversation) => prepend(conversation, action.opened));
    default:
      return reduceOutgoing(state, action);
  }
}

type OutgoingAction = Extract<Action, { type: "sending" | "sent" | "send-failed" | "send-dropped" }>;

function reduceOutgoing(state: State, action: OutgoingAction): State {
  const { sessionKey } = action;
  if (action.type === "sending") {
    const known = state.conversations.get(sessionKey) ?? newConversation(sessionKey, "open");
    return withConversation(state, { ...known, outgoing: [...known.outgoing, action.message] });
  }
  return change(state, sessionKey, (conversation) => {
    if (action.type === "sent") return settle(conversation, action);
    const outgoing = conversation.outgoing.flatMap((message) => {
      if (message.requestId !== action.requestId) return [message];
      return action.type === "send-failed" ? [{ ...message, problem: action.problem }] : [];
    });
    return { ...conversation, outgoing };
  });
}

/** Without the events in between, everything may be out of date. */
function welcome(state: State, action: Extract<Action, { type: "welcome" }>): State {
  const { viewer, version, isResumed } = action;
  const known: State = { ...state, link: "online", viewer, version };
  if (isResumed) return known;
  const conversations = [...state.conversations].map(([key, conversation]): [string, Conversation] => [
    key,
    { ...conversation, status: conversation.status === "opening" ? "opening" : "stale", seq: 0 },
  ]);
  return { ...known, generation: state.generation + 1, conversations: new Map(conversations) };
}

function reduceEvent(
  state: State,
  { seq, at, event }: { seq: number; at: number; event: GatewayEvent },
): State {
  switch (event.type) {
    case "shown": {
      const timed: TimedEvent = { seq, at, shown: event.shown };
      const news = reduceNews(state.news, { seq, at, sessionKey: event.sessionKey, shown: event.shown });
      const withNews = news === state.news ? state : { ...state, news };
      return change(withNews, event.sessionKey, (conversation) => take(conversation, timed));
    }
    case "session-changed":
      return withSession(state, event.session);
    case "session-removed":
      return withoutSession(state, event.sessionKey);
    case "changed":
      return {
        ...state,
        topics: { ...state.topics, [event.topic]: (state.topics[event.topic] ?? 0) + 1 },
      };
    case "question":
      return { ...state, questions: [...withoutQuestion(state, event.requestId), event] };
    case "progress":
      return { ...state, progress: new Map(state.progress).set(event.requestId, event) };
    case "logged":
      return { ...state, logs: [...state.logs.slice(1 - mostLogLines), event.line] };
    default:
      return state;
  }
}

function withoutQuestion({ questions }: State, requestId: string): State["questions"] {
  return questions.filter((each) => each.requestId !== requestId);
}

function startOpening(state: State, key: string): State {
  const known = state.conversations.get(key) ?? newConversation(key, "opening");
  const opening: Conversation = { ...known, status: "opening", problem: undefined, waiting: [] };
  const others = [...state.conversations].filter(([other]) => other !== key).slice(1 - mostConversations);
  return { ...state, conversations: new Map([...others, [key, opening]]) };
}

function change(state: State, key: string, next: (conversation: Conversation) => Conversation): State {
  const conversation = state.conversations.get(key);
  if (conversation === undefined) return state;
  const changed = next(conversation);
  return changed === conversation ? state : withConversation(state, changed);
}

function withConversation(state: State, conversation: Conversation): State {
  return { ...state, conversations: new Map(state.conversations).set(conversation.key, conversation) };
}

/** A conversation that was deleted and recovered is opened again. */
function withSession(state: State, session: SessionCard): State {
  if (state.sessions === undefined) return state;
  const known = change(state, session.key, (conversation) =>
    conversation.status === "removed" ? { ...conversation, status: "stale" } : conversation,
  );
  return { ...known, sessions: new Map(state.sessions).set(session.key, session) };
}

function withoutSession(state: State, key: string): State {
  const left = change(state, key, () => newConversation(key, "removed"));
  if (state.sessions === undefined) return left;
  const sessions = new Map(state.sessions);
  sessions.delete(key);
  return { ...left, sessions };
}
