// An owner, a guest and a group, each with a secret word of their own, and a model that repeats whatever it is shown: what
// reaches it under the wrong scope is seen at once.
import type { FakeModelReply, FakeModelRequest } from "./fake-model.ts";

export const places = {
  owner: { chat: { id: 1, type: "private" }, from: 1, secret: "amberkestrel", root: "." },
  guest: { chat: { id: 2, type: "private" }, from: 2, secret: "cobaltheron", root: "people/telegram-2" },
  group: { chat: { id: -10, type: "group" }, from: 2, secret: "violetegret", root: "groups/telegram--10" },
} as const;

export type Place = keyof typeof places;

export const placeNames = Object.keys(places) as Place[];

export const guestPerson = "telegram-2";

export function secretsIn(text: string): Place[] {
  return placeNames.filter((name) => text.includes(places[name].secret));
}

export function keyOf(place: Place): string {
  return `telegram:${places[place].chat.id}`;
}

/** Does what a message asks, `do <tool> <arguments>`, tells what came of it, and puts every secret into its summaries. */
export function answerAsPuppet(request: FakeModelRequest): FakeModelReply {
  const words = secretsIn(JSON.stringify(request.messages)).map((name) => places[name].secret);
  const last = request.messages.at(-1);
  const text = textOf(last?.content);
  if (text.includes("Call no tools.")) return { text: `The code word is ${words.join(", ")}.` };
  // Dream: what it finds, then what it writes.
  if (request.tools === undefined) return { text: `[MEMORY] The code word is ${words.join(", ")}` };
  if (last?.role === "tool") return { text: `It says: ${text}` };
  // The first line is what was said; what was recalled comes behind it.
  const [, name = "", args = "{}"] = /^.*?\bdo (\w+) (\{.*?\})/.exec(text) ?? [];
  return name === "" ? { text: "Noted." } : { toolCalls: [{ name, arguments: JSON.parse(args) }] };
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content ?? "");
}
