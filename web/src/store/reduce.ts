// The one reducer: the state of the page after something came over the wire or was sent. Pure; knows no socket.
import type { SessionCard } from "../../../src/api/chat/wire.ts";
import type { GatewayEvent } from "../../../src/server/protocol.ts";
import { type Conversation, newConversation } from "./conversation.ts";
import { type Happening, open, prepend, settle, take } from "./reduce-conversation.ts";
import type { Action, State } from "./state.ts";

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

/** Without the events in between, everything that is held may be old. */
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
      const happening: Happening = { seq, at, shown: event.shown };
      return change(state, event.sessionKey, (conversation) => take(conversation, happening));
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

/** One that was deleted and is there again has to be asked for anew. */
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
