// `nanobot status`: what is configured, why this model, how the assistant is confined, and what is missing.

import type { Words } from "../../i18n/words.ts";
import { neutralise } from "../../lib/visible-text.ts";
import { resolveHome } from "../../storage/home.ts";
import type { StatusOptions } from "../command-line/options.ts";
import type { Style } from "../draw/style.ts";
import { textWidth } from "../draw/text-width.ts";
import { printReport } from "../terminal/report.ts";
import type { CommandContext } from "../terminal/terminal.ts";
import { describeExtensions } from "./extension-status.ts";
import { describeProtection } from "./protection.ts";
import { collectStatus, type StatusReport } from "./status-report.ts";

export async function runStatus(options: StatusOptions, { terminal }: CommandContext): Promise<number> {
  const { env, words, style } = terminal;
  const paths = resolveHome({ env, configPath: options.config });
  const report = await collectStatus({ paths, env, workspace: options.workspace, words });
  if (options.config !== undefined && report.config.source === "defaults")
    report.config.warnings.push(words.failure.configMissing(paths.config));
  const text = describeStatus(report, words, style);
  return printReport({ json: report, text, code: report.isReady ? 0 : 1 }, options, terminal);
}

type Row = [name: string, value: string];

export function describeStatus(report: StatusReport, words: Words, style: Style): string {
  const { status } = words;
  const { config } = report;
  const rows: Row[] = [
    [status.version, report.version],
    [status.home, report.home],
    [status.config, `${config.path} (${status.source[config.source]})`],
    ...config.problems.map((problem): Row => ["", style.bad(problem)]),
    ...config.warnings.map((warning): Row => ["", style.warning(warning)]),
    ...describeWorkspace(report, words),
    ...describeModel(report, words, style),
    ...(report.protection === undefined ? [] : describeProtection(report.protection, words, style)),
    ...describeExtensions(report, words, style),
    ...(report.pythonGateway === undefined
      ? []
      : [["", style.warning(status.gateway(report.pythonGateway))] as Row]),
    [status.next, describeNext(report, words)],
  ];
  const width = Math.max(...rows.map(([name]) => textWidth(name)));
  return rows.map(([name, value]) => drawRow(name, value, width, style)).join("\n");
}

function drawRow(name: string, value: string, width: number, style: Style): string {
  return `${style.bold(name)}${" ".repeat(width - textWidth(name) + 2)}${value}`;
}

function describeWorkspace({ workspace, sessions }: StatusReport, { status }: Words): Row[] {
  if (workspace === undefined) return [];
  const state = workspace.isThere ? "" : ` (${status.notThere})`;
  return [
    [status.workspace, `${workspace.path}${state}`],
    [status.sessions, String(sessions ?? 0)],
  ];
}

function describeModel({ model, modelProblem }: StatusReport, { status }: Words, style: Style): Row[] {
  if (modelProblem !== undefined) return [[status.model, style.bad(neutralise(modelProblem))]];
  if (model === undefined) return [];
  if (model.isOffline) return [[status.model, status.demo]];
  const keys = { present: status.keyPresent, missing: status.keyMissing, "not-needed": status.keyNotNeeded };
  return [
    [status.model, neutralise(status.modelAt(model.name, model.host))],
    [status.because, neutralise(model.why)],
    [status.key, keys[model.key]],
  ];
}

function describeNext({ config, model }: StatusReport, { status }: Words): string {
  if (config.source === "broken" || config.source === "last-good") return status.nextFixConfig(config.path);
  return model === undefined || model.isOffline ? status.nextOnboard : status.nextNothing;
}
