// `nanobot tools` and `nanobot channels`: which custom ones there are and why one is not used; allow and disallow.

import type { ExtensionFile } from "../../api/extensions/extensions.ts";
import type { OwnCodeKind } from "../../api/extensions/own-code.ts";
import { type Asking, noChoice } from "../../bus/ask.ts";
import { channelRows } from "../../channels/index.ts";
import type { Config } from "../../config/schema.ts";
import { say, type Words } from "../../i18n/words.ts";
import { isRecord } from "../../lib/is-record.ts";
import { nanobot } from "../../lib/program-command.ts";
import { revealLine } from "../../lib/visible-text.ts";
import type { OwnCodeOptions } from "../command-line/options.ts";
import type { Style } from "../draw/style.ts";
import { type OpenedClient, reportWithClient } from "../open-client.ts";
import { confirm } from "../terminal/confirm.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Report } from "../terminal/report.ts";
import type { CommandContext, Terminal } from "../terminal/terminal.ts";

interface OwnCodeRequest extends OpenedClient {
  kind: OwnCodeKind;
  name: string;
  options: OwnCodeOptions;
  context: CommandContext;
}

export const runTools = runOwnCode("tools");
export const runChannels = runOwnCode("channels");

function runOwnCode(kind: OwnCodeKind) {
  return async (options: OwnCodeOptions, context: CommandContext): Promise<number> => {
    const { action, name } = options;
    if (action !== "list" && name === undefined)
      throw new CommandFailure(context.terminal.words[kind].needsName(action), 2);
    const run = action === "list" ? list : action === "allow" ? allow : remove;
    return reportWithClient(options, context, (opened) =>
      run({ ...opened, kind, name: name ?? "", options, context }),
    );
  };
}

async function list({ client, paths, kind, config, context }: OwnCodeRequest): Promise<Report> {
  const { words, style } = context.terminal;
  const { files } = await client.call("extensions.list", { kind });
  const lines = files.map((file) => describeFile(file, kind, { words, style }));
  const json = files.map((file) => toReport(file, kind, words));
  const customList = lines.join("\n") || words[kind].none(paths[kind]);
  return {
    json,
    text:
      kind === "tools" ? customList : [...listPlatforms(config, context.terminal), "", customList].join("\n"),
  };
}

/** All chat platforms, whether each is on, and how it is set up. */
function listPlatforms({ channels }: Config, { words, style }: Terminal): string[] {
  const { isOn, isOff, setUp } = words.channels.platforms;
  const rows = channelRows.map(({ name }) => {
    const block = (channels as Record<string, unknown>)[name];
    const isEnabled = isRecord(block) && block.enabled === true;
    return `${style.bold(name.padEnd(10))} ${isEnabled ? style.good(isOn) : style.quiet(isOff)}`;
  });
  return [...rows, setUp(`${nanobot} web`)];
}

async function allow({ client, kind, name, options, context }: OwnCodeRequest): Promise<Report> {
  const { terminal, signal } = context;
  const { words, stdout, style, stderr } = terminal;
  const texts = words[kind];
  const ask = async ({ phrase, detail = "" }: Asking) => {
    (options.json === true ? stderr : stdout).write(`${texts.covers}\n${detail}\n`);
    const question = { text: say(phrase, words), isAnswered: options.yes === true };
    return (await confirm(question, context)) ? "yes" : noChoice;
  };
  const file = await client.call("extensions.allow", { kind, name }, { ask, signal });
  return {
    json: toReport(file, kind, words),
    text: `${texts.allowed(revealLine(file.file))}\n${describeFile(file, kind, { words, style })}`,
    code: file.problem === undefined ? 0 : 1,
  };
}

async function remove({ client, kind, name, context }: OwnCodeRequest): Promise<Report> {
  const { words } = context.terminal;
  const { file } = await client.call("extensions.remove", { kind, name });
  const json = kind === "tools" ? { removed: file } : { blocked: file };
  return { json, text: words[kind].removed(revealLine(file)) };
}

export interface OwnCodeReport extends Pick<ExtensionFile, "file" | "state" | "covers"> {
  /** In a file of tools. */
  tools?: ExtensionFile["offers"];
  /** In a file of a channel. */
  channel?: string | null;
  /** Why it is not used. */
  reason: string | null;
}

export function toReport(found: ExtensionFile, kind: OwnCodeKind, words: Words): OwnCodeReport {
  const { file, state, covers, offers, problem } = found;
  const reason = problem === undefined ? null : revealLine(say(problem, words));
  const offered = kind === "tools" ? { tools: offers } : { channel: offers[0]?.name ?? null };
  return { file, state, covers, ...offered, reason };
}

/** `prices.ts  allowed  price_history: What ...`, or what is wrong. */
function describeFile(
  found: ExtensionFile,
  kind: OwnCodeKind,
  { words, style }: { words: Words; style: Style },
): string {
  const { file, state, offers } = found;
  const { reason } = toReport(found, kind, words);
  const isBroken = state === "allowed" && reason !== null;
  const descriptions = offers.map(({ name, description }) =>
    revealLine(description === "" ? name : `${name}: ${description}`),
  );
  const paint = reason === null ? style.good : isBroken || state === "refused" ? style.bad : style.warning;
  return [
    style.bold(revealLine(file)),
    paint(words[kind].states[isBroken ? "broken" : state]),
    reason ?? descriptions.join("; "),
  ].join("  ");
}
