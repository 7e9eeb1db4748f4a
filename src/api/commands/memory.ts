// `/search`, `/why`, `/forget`, `/dream`, `/dream-log` and `/dream-restore`: the memory of the person who asks.
import { longestQuery } from "../../recall/recall.ts";
import {
  describeChange,
  describeDream,
  describeExplanation,
  describeFound,
  describeVersions,
} from "../memory/describe-memory.ts";
import { describeRevision } from "../skills/describe-revisions.ts";
import type { SlashCommand } from "./command.ts";

const restoreCommand = "/dream-restore";
const mostListed = 10;

export const memoryCommands: readonly SlashCommand[] = [
  {
    name: "search",
    when: "now",
    takesText: true,
    async run({ client, words }, text) {
      if (text === "") return words.memory.needsWords("/search");
      const { hits } = await client.call("memory.search", { query: text.slice(0, longestQuery) });
      return describeFound(hits, words);
    },
  },
  {
    name: "why",
    when: "now",
    takesText: true,
    async run({ client, words }, text) {
      if (text === "") return words.memory.needsWords("/why");
      return describeExplanation(
        await client.call("memory.why", { text: text.slice(0, longestQuery) }),
        words,
      );
    },
  },
  {
    name: "forget",
    when: "now",
    takesText: true,
    async run({ client, words }, text) {
      if (text === "") return words.memory.needsWords("/forget");
      const { lines, messages, summaries, version } = await client.call("memory.forget", {
        words: text.slice(0, longestQuery),
      });
      const done = words.memory.forget.done(lines.length, messages.length + summaries.length);
      return version === undefined
        ? done
        : `${done}\n${words.memory.forget.undo(`${restoreCommand} ${version.id}`)}`;
    },
  },
  {
    name: "dream",
    when: "background",
    run: async ({ client, words, signal }) =>
      describeDream(await client.call("memory.dream", {}, { ...(signal && { signal }) }), words),
  },
  {
    name: "skill-changes",
    when: "now",
    async run({ client, words }) {
      const { revisions } = await client.call("skills.revisions", {});
      if (revisions.length === 0) return words.skills.noRevisions;
      const lines: string[] = [];
      for (const { skill: name } of revisions) {
        const outcome = await client.call("skills.revise", { name });
        lines.push(describeRevision(outcome, words, restoreCommand));
      }
      return lines.join("\n");
    },
  },
  {
    name: "dream-log",
    when: "now",
    takesText: true,
    async run({ client, words }, id) {
      const { versions } = await client.call("memory.log", { most: 1, kind: "dream" });
      const wanted = id === "" ? versions[0]?.id : id.slice(0, 200);
      if (wanted === undefined) return words.memory.versions.noDream;
      const { version, files } = await client.call("memory.change", { id: wanted });
      return describeChange(version, files, words);
    },
  },
  {
    name: "dream-restore",
    when: "idle",
    takesText: true,
    async run({ client, words }, id) {
      if (id === "") {
        const { versions } = await client.call("memory.log", { most: mostListed });
        return describeVersions(versions, words, restoreCommand);
      }
      const version = await client.call("memory.restore", { id: id.slice(0, 200) });
      return words.memory.versions.restored(id, version.summary, `${restoreCommand} ${version.id}`);
    },
  },
];
