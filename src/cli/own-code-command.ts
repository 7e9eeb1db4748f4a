// `nanobot tools` and `nanobot channels`: which custom ones there are and why one is not used; allowing one, and taking
// that back.
import { join } from "node:path";
import type { OwnCodeKind } from "../api/extensions/own-code.ts";
import { type Asking, noChoice } from "../bus/ask.ts";
import { say } from "../i18n/words.ts";
import { revealLine } from "../lib/visible-text.ts";
import { CommandFailure } from "./command-failure.ts";
import type { OwnCodeOptions } from "./command-line.ts";
import { type OpenedClient, withClient } from "./open-client.ts";
import { describeFile, toReport } from "./own-code/describe-own-code.ts";
import { confirm } from "./skills/confirm.ts";
import type { CommandContext } from "./terminal.ts";

interface OwnCodeRequest extends OpenedClient {
  kind: OwnCodeKind;
  name: string;
  options: OwnCodeOptions;
  context: CommandContext;
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
  const { action, name } = options;
  if (action !== "list" && name === undefined) throw new CommandFailure(words[kind].needsName(action), 2);
  const run = action === "list" ? list : action === "allow" ? allow : remove;
  return withClient(options, context.terminal, (opened) =>
    run({ ...opened, kind, name: name ?? "", options, context }),
  );
}

async function list({ client, paths, kind, options, context }: OwnCodeRequest): Promise<number> {
  const { words, stdout, style } = context.terminal;
  const { files } = await client.call("extensions.list", { kind });
  const lines = files.map((file) => describeFile(file, kind, { words, style }));
  const none = words[kind].none(join(paths.home, kind));
  const reports = files.map((file) => toReport(file, kind, words));
  stdout.write(`${options.json === true ? JSON.stringify(reports) : lines.join("\n") || none}\n`);
  return 0;
}

async function allow({ client, kind, name, options, context }: OwnCodeRequest): Promise<number> {
  const { terminal, signal } = context;
  const { words, stdout, style, stderr } = terminal;
  const own = words[kind];
  const ask = async ({ phrase, detail = "" }: Asking) => {
    (options.json === true ? stderr : stdout).write(`${own.covers}\n${detail}\n`);
    const question = { text: say(phrase, words), isAnswered: options.yes === true };
    return (await confirm(question, context)) ? "yes" : noChoice;
  };
  const file = await client.call("extensions.allow", { kind, name }, { ask, signal });
  const text =
    options.json === true
      ? JSON.stringify(toReport(file, kind, words))
      : `${own.allowed(revealLine(file.file))}\n${describeFile(file, kind, { words, style })}`;
  stdout.write(`${text}\n`);
  return file.problem === undefined ? 0 : 1;
}

async function remove({ client, kind, name, options, context }: OwnCodeRequest): Promise<number> {
  const { words, stdout } = context.terminal;
  const { file } = await client.call("extensions.remove", { kind, name });
  const report = kind === "tools" ? { removed: file } : { blocked: file };
  const text = options.json === true ? JSON.stringify(report) : words[kind].removed(revealLine(file));
  stdout.write(`${text}\n`);
  return 0;
}
