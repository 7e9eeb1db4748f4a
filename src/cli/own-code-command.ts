// `nanobot tools` and `nanobot channels`: which of one's own there are and why one is not used; allowing one, and taking
// that back.
import { join } from "node:path";
import { loadOwnChannels } from "../api/channels/own-channels.ts";
import { type OwnCodeKind, type OwnCodePlace, openOwnCode } from "../api/extensions/own-code.ts";
import { loadOwnTools } from "../app/build-own-tools.ts";
import type { CodeFile } from "../guards/trusted-code.ts";
import { phrase } from "../i18n/phrase.ts";
import { say } from "../i18n/words.ts";
import { findNearest } from "../lib/nearest.ts";
import { revealLine } from "../lib/visible-text.ts";
import { CommandFailure } from "./command-failure.ts";
import type { OwnCodeOptions } from "./command-line.ts";
import { describeFile, toReport } from "./own-code/describe-own-code.ts";
import { readConfig } from "./read-config.ts";
import { confirm } from "./skills/confirm.ts";
import type { CommandContext } from "./terminal.ts";

interface OwnCodeRequest {
  kind: OwnCodeKind;
  options: OwnCodeOptions;
  context: CommandContext;
  place: OwnCodePlace;
}

export function runTools(options: OwnCodeOptions, context: CommandContext): Promise<number> {
  return runOwnCode("tools", options, context);
}

export function runChannels(options: OwnCodeOptions, context: CommandContext): Promise<number> {
  return runOwnCode("channels", options, context);
}

async function runOwnCode(
  kind: OwnCodeKind,
  options: OwnCodeOptions,
  context: CommandContext,
): Promise<number> {
  const { words } = context.terminal;
  const { paths, loaded } = await readConfig(options, context.terminal);
  const { workspace } = loaded.config.agents.defaults;
  const request = { kind, options, context, place: { paths, workspace } };
  if (options.action === "list") return list(request);
  if (options.name === undefined) throw new CommandFailure(words[kind].needsName(options.action), 2);
  const action = options.action === "allow" ? allow : remove;
  return action(options.name, request);
}

const load = { tools: loadOwnTools, channels: loadOwnChannels };

async function list({ kind, options, context, place }: OwnCodeRequest): Promise<number> {
  const { words, stdout, style } = context.terminal;
  const { files } = await load[kind](place);
  const lines = files.map((file) => describeFile(file, kind, { words, style }));
  const none = words[kind].none(join(place.paths.home, kind));
  const reports = files.map((file) => toReport(file, kind, words));
  stdout.write(`${options.json === true ? JSON.stringify(reports) : lines.join("\n") || none}\n`);
  return 0;
}

async function allow(name: string, request: OwnCodeRequest): Promise<number> {
  const { kind, options, context, place } = request;
  const { words, stdout, style, stderr } = context.terminal;
  const own = words[kind];
  const code = openOwnCode(kind, place);
  const found = findFile(name, await code.survey(), request);
  if (found.state === "refused") {
    const { kind: reason, subject } = found.problem;
    throw new CommandFailure(revealLine(say(phrase(`extensions.${reason}`, { of: kind, subject }), words)));
  }
  const covered = [...found.closure.sources].map(
    ([path, source]) => `  ${revealLine(path)} (${source.length})`,
  );
  (options.json === true ? stderr : stdout).write(`${[own.covers, ...covered].join("\n")}\n`);
  const question = { text: own.ask(revealLine(found.name)), isAnswered: options.yes === true };
  if (!(await confirm(question, context))) return 1;
  await code.allow(found.name, found.closure);
  const { files } = await load[kind](place);
  const report = files.find(({ file }) => file === found.name);
  const text =
    options.json === true || report === undefined
      ? JSON.stringify(report && toReport(report, kind, words))
      : `${own.allowed(revealLine(found.name))}\n${describeFile(report, kind, { words, style })}`;
  stdout.write(`${text}\n`);
  return report?.problem === undefined ? 0 : 1;
}

async function remove(name: string, request: OwnCodeRequest): Promise<number> {
  const { kind, options, context, place } = request;
  const { words, stdout } = context.terminal;
  const code = openOwnCode(kind, place);
  const found = findFile(name, await code.survey(), request);
  await code.remove(found.name);
  const text = words[kind].removed(revealLine(found.name));
  const report = kind === "tools" ? { removed: found.name } : { blocked: found.name };
  stdout.write(`${options.json === true ? JSON.stringify(report) : text}\n`);
  return 0;
}

/** By its name, with or without its ending. */
function findFile(name: string, files: CodeFile[], { kind, context }: OwnCodeRequest): CodeFile {
  const found = files.find((file) => file.name === name || file.name.replace(/\.m?[jt]s$/, "") === name);
  if (found !== undefined) return found;
  const nearest = findNearest(
    name,
    files.map((file) => file.name),
  );
  throw new CommandFailure(
    context.terminal.words[kind].unknown(revealLine(name), nearest && revealLine(nearest)),
  );
}
