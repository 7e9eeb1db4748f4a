// Operations about conversations: the list, one of them, speaking in it, finding in all of them. Everyone sees what is
// theirs; an owner sees all.
import * as z from "zod";
import { fail } from "../../i18n/user-error.ts";
import { phraseAbout, say, speakTo } from "../../i18n/words.ts";
import type { RecalledEntry } from "../../recall/recall-search.ts";
import { fromScope, type Scope, scopeOf } from "../../storage/scope.ts";
import { paths } from "../files/files.ts";
import { operation } from "../operation.ts";
import type { AssistantServices } from "../services.ts";
import { archiveOperations, chatModelOperations, conversationOperations } from "./conversation.ts";
import { missing } from "./session-access.ts";
import { sessionOperations } from "./sessions.ts";
import type { FoundEntry, OpenedSession, SessionCard } from "./wire.ts";

const sessionKey = z.string().min(1).max(1_000);
const id = z.string().min(1).max(200);
const longestText = 2_500_000;

const listChats = operation({
  name: "chat.list",
  about: "The caller's conversations; with `archived` only those that were put away or closed by /new.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({ archived: z.boolean().optional() }),
  run: async ({ chat }, params, caller): Promise<{ sessions: SessionCard[] }> => ({
    sessions: await chat.cards.list(caller, params),
  }),
});

const openChat = operation({
  name: "chat.open",
  about:
    "A conversation with its latest messages, or those before or around one, and what happens in it now.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({
    sessionKey,
    before: id.optional(),
    around: id.optional(),
    limit: z.int().min(1).max(1_000).optional(),
  }),
  run: ({ chat }, params, caller): Promise<OpenedSession> => chat.conversations.open(params, caller),
});

const readEntry = operation({
  name: "chat.entry",
  about: "The whole text of a message that was cut.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({ sessionKey, entryId: id }),
  run: async ({ chat }, params, caller): Promise<{ text: string }> => ({
    text: await chat.conversations.readEntry(params.sessionKey, params.entryId, caller),
  }),
});

const send = operation({
  name: "chat.send",
  about:
    "Says a message or a slash command; during a turn it steers it. Files were given before by `file.put`, or are of the workspace or the media folder of this machine (`paths`, for the owner).",
  access: "person",
  needs: "assistant",
  params: z.strictObject({
    sessionKey,
    text: z.string().max(longestText),
    files: z.array(id).max(20).optional(),
    paths,
    /** `cli`: a terminal. */
    channel: z.enum(["web", "cli"]).optional(),
    /** Sources of what in the text is not the speaker's own, such as what a command printed. */
    labels: z.array(id).max(20).optional(),
  }),
  async run({ chat }, params, { person, role, requestId, language }): Promise<{ turnId: string }> {
    const { sessionKey: key, text, channel = "web", labels } = params;
    const viewer = { person, role };
    // Everything that waits is behind the lock, so messages keep the order in which they were sent.
    return chat.whenWhole(key, async () => {
      const media = await chat.files.findAll(params, viewer);
      if (text.trim() === "" && media.length === 0) throw fail("chat.empty");
      const { scope } = await chat.access.openForWriting(key, viewer);
      const { group } = fromScope(scope);
      const said = { sessionKey: key, text, media, labels, viewer, requestId, language };
      const message = { ...said, ...(group !== undefined && { group }) };
      return { turnId: (await chat.say(channel, message)).id };
    });
  },
});

const stop = operation({
  name: "chat.stop",
  about: "Ends what runs and drops what waits in a conversation; how many.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({ sessionKey }),
  async run({ chat }, params, caller): Promise<{ stopped: number }> {
    await chat.access.openForWriting(params.sessionKey, caller);
    return { stopped: await chat.loop.stop(params.sessionKey) };
  },
});

const answer = operation({
  name: "chat.answer",
  about:
    "Answers a question of a turn or a command. Approvals are for the owner; a guest answers what a command of theirs asks. `text`: no, and this.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({
    sessionKey,
    askId: id,
    choice: id,
    text: z.string().max(longestText).optional(),
  }),
  async run({ chat }, { sessionKey: key, ...given }, caller): Promise<{ isTaken: boolean }> {
    if (caller.role === "guest") await chat.access.openForWriting(key, caller);
    return { isTaken: chat.loop.questions.settle(key, given, caller) };
  },
});

const search = operation({
  name: "chat.search",
  about: "Finds in everything that was said.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({ query: z.string().max(2_000), limit: z.int().min(1).max(100).optional() }),
  async run(services, { query, limit = 20 }, caller): Promise<{ found: FoundEntry[] }> {
    const request = { query, count: limit, scope: scopeOf(caller), isSaid: true };
    const { hits } = await services.chat.recall.search(request);
    return { found: await Promise.all(hits.map((hit) => toFound(services, hit, request.scope))) };
  },
});

const find = operation({
  name: "chat.find",
  about: "Where something that was recalled was said.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({ reference: id }),
  async run(services, { reference }, caller): Promise<FoundEntry> {
    const entries = await services.chat.recall.read(reference, { scope: scopeOf(caller), around: 0 });
    const entry = entries.find((each) => each.kind === "session");
    if (entry === undefined) throw missing();
    return toFound(services, entry, scopeOf(caller));
  },
});

const complete = operation({
  name: "chat.complete",
  about: "Slash commands and skills for completion, and whether recordings can be transcribed.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({}),
  async run({ chat: { skills, words: usual, canTranscribe } }, _, caller) {
    const words = speakTo(caller, usual);
    const usable = (await skills.survey()).list({ withUnavailable: false });
    return {
      commands: Object.entries(words.reply.commands).map(([name, about]) => ({ name, about })),
      skills: usable.map((skill) => ({ name: skill.name, about: say(phraseAbout(skill), words) })),
      canTranscribe: canTranscribe(),
    };
  },
});

export const chatOperations = [
  listChats,
  openChat,
  readEntry,
  send,
  stop,
  answer,
  search,
  find,
  complete,
  ...sessionOperations,
  ...conversationOperations,
  ...archiveOperations,
  ...chatModelOperations,
] as const;

/** The reference of a message is its id with the place in it. */
async function toFound(
  { chat: { sessions, cards } }: AssistantServices,
  { name, reference, at, text }: RecalledEntry,
  scope: Scope,
): Promise<FoundEntry> {
  const place = await sessions.locate(name, reference, scope);
  const { conversation: key, entryId } = place ?? { conversation: name, entryId: reference };
  const { title } = await cards.of(key, scope);
  return { sessionKey: key, title, entryId, at, text };
}
