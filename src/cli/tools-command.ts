// `nanobot tools`: which tools of one's own there are and why one is not used; allowing one, and taking that back.
import { join } from "node:path";
import { loadOwnTools, type OwnToolsPlace, openOwnCode } from "../app/build-own-tools.ts";
import { resolveHome } from "../config/home.ts";
import { loadConfig } from "../config/load.ts";
import { tellProblems } from "../config/problem.ts";
import type { CodeFile } from "../guards/trusted-code.ts";
import { findNearest } from "../lib/nearest.ts";
import { neutralise, revealLine } from "../lib/visible-text.ts";
import { CommandFailure } from "./command-failure.ts";
import type { ToolsOptions } from "./command-line.ts";
import { confirm } from "./skills/confirm.ts";
import type { CommandContext } from "./terminal.ts";
import { describeFile, toReport } from "./tools/describe-tools.ts";

interface ToolsRequest {
  options: ToolsOptions;
  context: CommandContext;
  place: OwnToolsPlace;
}

export async function runTools(options: ToolsOptions, context: CommandContext): Promise<number> {
  const { env, words } = context.terminal;
  const paths = resolveHome({ env, configPath: options.config });
  const loaded = await loadConfig({ home: paths, env, workspaceOverride: options.workspace });
  if (!loaded.ok) throw new CommandFailure(neutralise(tellProblems(loaded.problems, words).join("\n")));
  const { workspace } = loaded.config.agents.defaults;
  const request = { options, context, place: { paths, workspace } };
  if (options.action === "list") return list(request);
  if (options.name === undefined) throw new CommandFailure(words.tools.needsName(options.action), 2);
  const action = options.action === "allow" ? allow : remove;
  return action(options.name, request);
}

async function list({ options, context, place }: ToolsRequest): Promise<number> {
  const { words, stdout, style } = context.terminal;
  const { files } = await loadOwnTools(place);
  const lines = files.map((file) => describeFile(file, words, style));
  const none = words.tools.none(join(place.paths.home, "tools"));
  const reports = files.map((file) => toReport(file, words));
  stdout.write(`${options.json === true ? JSON.stringify(reports) : lines.join("\n") || none}\n`);
  return 0;
}

async function allow(name: string, request: ToolsRequest): Promise<number> {
  const { options, context, place } = request;
  const { words, stdout, style, stderr } = context.terminal;
  const code = openOwnCode(place);
  const found = findFile(name, await code.survey(), request);
  if (found.state === "refused") {
    const { kind, subject } = found.problem;
    throw new CommandFailure(revealLine(words.tools.problems[kind](subject)));
  }
  const covered = [...found.closure.sources].map(
    ([path, source]) => `  ${revealLine(path)} (${source.length})`,
  );
  (options.json === true ? stderr : stdout).write(`${[words.tools.covers, ...covered].join("\n")}\n`);
  const question = { text: words.tools.ask(revealLine(found.name)), isAnswered: options.yes === true };
  if (!(await confirm(question, context))) return 1;
  await code.allow(found.name, found.closure);
  const { files } = await loadOwnTools(place);
  const report = files.find(({ file }) => file === found.name);
  const text =
    options.json === true || report === undefined
      ? JSON.stringify(report && toReport(report, words))
      : `${words.tools.allowed(revealLine(found.name))}\n${describeFile(report, words, style)}`;
  stdout.write(`${text}\n`);
  return report?.problem === undefined ? 0 : 1;
}

async function remove(name: string, request: ToolsRequest): Promise<number> {
  const { options, context, place } = request;
  const { words, stdout } = context.terminal;
  const code = openOwnCode(place);
  const found = findFile(name, await code.survey(), request);
  await code.remove(found.name);
  const text = words.tools.removed(revealLine(found.name));
  stdout.write(`${options.json === true ? JSON.stringify({ removed: found.name }) : text}\n`);
  return 0;
}

/** By its name, with or without its ending. */
function findFile(name: string, files: CodeFile[], { context }: ToolsRequest): CodeFile {
  const found = files.find((file) => file.name === name || file.name.replace(/\.m?[jt]s$/, "") === name);
  if (found !== undefined) return found;
  const nearest = findNearest(
    name,
    files.map((file) => file.name),
  );
  throw new CommandFailure(
    context.terminal.words.tools.unknown(revealLine(name), nearest && revealLine(nearest)),
  );
}
