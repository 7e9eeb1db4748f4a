// `nanobot memory`: what was ever said and written here, found by words; where a line of memory came from, what was
// changed in it, and the ways back. Needs no model, except to dream.
import { describeDream } from "../api/memory/describe-dream.ts";
import {
  describeChange,
  describeExplanation,
  describeFound,
  describeVersions,
} from "../api/memory/describe-memory.ts";
import { longestQuery } from "../api/memory/memory.ts";
import { nanobot } from "../lib/program-command.ts";
import { CommandFailure } from "./command-failure.ts";
import type { MemoryOptions } from "./command-line.ts";
import { forgetWords, type MemoryRequest } from "./forget-words.ts";
import { withClient } from "./open-client.ts";
import { tell } from "./tell.ts";
import type { CommandContext } from "./terminal.ts";

const restoreCommand = `${nanobot} memory restore`;

export function runMemory(options: MemoryOptions, context: CommandContext): Promise<number> {
  const { action } = options;
  const { memory } = context.terminal.words;
  const text = options.words.join(" ").trim().slice(0, longestQuery);
  const needsWords = action === "search" || action === "why" || action === "forget";
  if (needsWords && text === "")
    throw new CommandFailure(memory.needsWords(`${nanobot} memory ${action}`), 2);
  if (action === "restore" && text === "")
    throw new CommandFailure(memory.versions.needsId(restoreCommand), 2);
  return withClient(options, context.terminal, ({ client }) => act({ client, text, options, context }));
}

async function act(request: MemoryRequest): Promise<number> {
  const { client, text, options, context } = request;
  const { words } = context.terminal;
  switch (options.action) {
    case "search": {
      const found = await client.call("memory.search", { query: text }, { signal: context.signal });
      return tell(request, found, describeFound(found.hits, words));
    }
    case "why": {
      const explanation = await client.call("memory.why", { text });
      return tell(request, explanation, describeExplanation(explanation, words));
    }
    case "log": {
      const { versions } = await client.call("memory.log", {});
      return tell(request, versions, describeVersions(versions, words, restoreCommand));
    }
    case "diff":
      return showChange(request);
    case "restore": {
      const version = await client.call("memory.restore", { id: text });
      const { restored } = words.memory.versions;
      return tell(request, version, restored(text, version.summary, `${restoreCommand} ${version.id}`));
    }
    case "forget":
      return forgetWords(request);
    case "dream": {
      const { reasons: _, ...outcome } = await client.call("memory.dream", {}, { signal: context.signal });
      await tell(request, outcome, describeDream(outcome, words));
      return outcome.kind === "failed" || outcome.kind === "refused" || outcome.kind === "no-model" ? 1 : 0;
    }
  }
}

/** Without an id, of the newest version. */
async function showChange(request: MemoryRequest): Promise<number> {
  const { client, text } = request;
  const { words } = request.context.terminal;
  const { versions } = await client.call("memory.log", { most: 1 });
  const id = text === "" ? versions[0]?.id : text;
  if (id === undefined) return tell(request, null, words.memory.versions.none);
  const change = await client.call("memory.change", { id });
  return tell(request, change, describeChange(change.version, change.files, words));
}
