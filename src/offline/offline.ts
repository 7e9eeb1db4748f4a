// The offline model: a few rules behind the contract of every model, so that the whole program works without a key
// and without a network. It keeps nothing between calls; what it does next follows from the conversation alone.

import { phrase } from "../i18n/phrase.ts";
import type { Clock } from "../lib/clock.ts";
import { estimateJsonTokens } from "../lib/tokens.ts";
import type { ModelChoice } from "../llm/choice/choose-model.ts";
import { toFailedEnd } from "../llm/errors/provider-error.ts";
import { createScripted, playReply, readScript, type ScriptedReply } from "../llm/scripted.ts";
import type { ModelRequest, Provider } from "../llm/types.ts";
import { connectingHelp, describeLimits, emptyMessage, joinSayings } from "./about.ts";
import { type Call, findMatch, type Match, readTurn, type Saying, type Turn } from "./intent.ts";
import { intents } from "./intents.ts";
import { readDue } from "./schedule-intents.ts";
import { append } from "./tell.ts";

interface OfflineOptions {
  clock: Clock;
  version: string;
}

export function createOffline({ clock, version }: OfflineOptions): Provider {
  return {
    stream(request, signal) {
      const next = decide(request, readTurn(request, clock), version);
      return playReply(toReply(next, request), request, signal);
    },
  };
}

/** What it says, or the one tool that it calls. */
function decide(request: ModelRequest, turn: Turn, version: string): string | Call {
  if (turn.text === "") return emptyMessage[turn.language];
  const due = readDue(turn.text);
  if (due !== undefined && "says" in due) return due.says;
  const match = findMatch(intents, due?.asks ?? turn.text, turn);
  if (match === undefined)
    return due === undefined ? describeLimits(turn.text.length)[turn.language] : `⏰ ${due.asks}`;
  const next = act(match, turn, version);
  if (!("name" in next)) return next[match.language];
  return hasTool(request, next.name) ? next : describeMissing(next)[match.language];
}

function act({ intent, subject }: Match, turn: Turn, version: string): Call | Saying {
  if ("say" in intent) return intent.say(turn, version);
  if ("add" in intent) return append(intent.add(subject), turn.results);
  const result = turn.results.at(-1);
  return result === undefined ? intent.call(subject) : intent.tell(result, subject);
}

function hasTool({ tools = [], toolChoice }: ModelRequest, name: string): boolean {
  return toolChoice !== "none" && tools.some((tool) => tool.name === name);
}

function describeMissing({ name }: Call): Saying {
  const missing = {
    english: `For that I need the tool \`${name}\`, which I may not use here.`,
    chinese: `这需要工具 \`${name}\`，但我在这里不能使用它。`,
  };
  return joinSayings(missing, connectingHelp);
}

function toReply(next: string | Call, { messages, tools = [] }: ModelRequest): ScriptedReply {
  const input = estimateJsonTokens(messages) + estimateJsonTokens(tools);
  const usage = { input, cached: 0, output: estimateJsonTokens(next) };
  if (typeof next === "string") return { deltas: next.match(/[\s\S]{1,24}/gu) ?? [], usage };
  // Messages only ever become more, so their number makes the id unique within a conversation.
  return { toolCalls: [{ ...next, id: `offline_${messages.length}` }], usage };
}

interface LocalModelOptions {
  clock: Clock;
  version: string;
}

export async function createLocalModel(
  { host, access }: ModelChoice,
  options: LocalModelOptions,
): Promise<Provider> {
  if (host.protocol !== "scripted") return createOffline(options);
  const path = access.script ?? "";
  const parsed = await readScript(path);
  if (parsed.ok) return createScripted(parsed.script, options.clock);
  const { problems } = parsed;
  // Told in every reply, like a host that cannot be reached.
  return {
    async *stream(request) {
      const said = phrase("model.bad-script", { path, problems });
      yield toFailedEnd(request, { kind: "invalid-request", host: host.label, phrase: said });
    },
  };
}
