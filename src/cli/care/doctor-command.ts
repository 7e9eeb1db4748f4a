// `nanobot doctor`: looks at everything that can be wrong with a home and says how to fix it. Changes nothing.
import { createHttpClient } from "../../api/client.ts";
import { findGateway } from "../../api/gateway/gateway-file.ts";
import { findStateProblems } from "../../api/gateway/state-problems.ts";
import { phrase } from "../../i18n/phrase.ts";
import { say, type Words } from "../../i18n/words.ts";
import { systemClock } from "../../lib/clock.ts";
import { revealLine } from "../../lib/visible-text.ts";
import {
  checkHome,
  listOpenFiles,
  listUnusableFolders,
  readFreeBytes,
  readNewestTime,
} from "../../storage/check-places.ts";
import { inspectState } from "../../storage/database/state-schema.ts";
import { readSorted } from "../../storage/documents/sort-memory.ts";
import { type HomePaths, resolveHome } from "../../storage/home.ts";
import type { DoctorOptions } from "../command-line/options.ts";
import type { Style } from "../draw/style.ts";
import { printReport } from "../terminal/report.ts";
import type { CommandContext } from "../terminal/terminal.ts";
import { describeState } from "./protection.ts";
import { collectStatus, type StatusReport } from "./status-report.ts";

export interface Finding {
  subject: keyof Words["care"]["subjects"];
  state: "ok" | "warning" | "bad";
  sentence: string;
}

const leastDisk = 200 * 1024 * 1024;

export async function runDoctor(options: DoctorOptions, { terminal }: CommandContext): Promise<number> {
  const { env, words, style } = terminal;
  const paths = resolveHome({ env, configPath: options.config });
  const report = await collectStatus({ paths, env, workspace: options.workspace, words });
  const workspace = report.workspace?.path ?? paths.workspace;
  const findings = [
    ...judgeConfig(report, words),
    ...judgeModel(report, words),
    ...judgeSandbox(report, words),
    ...judgeChannels(report),
    await judgeDisk(paths, words),
    ...(await judgeModes(paths, words)),
    ...(await judgeFolders(paths, workspace, words)),
    await judgeClock(paths, words),
    ...(await judgeState(paths, workspace, words)),
    ...(await judgeMemory(workspace, words)),
    ...(await judgeGateway(paths, words)),
  ];
  const text = findings.map((finding) => draw(finding, words, style)).join("\n");
  const code = findings.some(({ state }) => state === "bad") ? 1 : 0;
  return printReport({ json: findings, text, code }, options, terminal);
}

function draw({ subject, state, sentence }: Finding, { care }: Words, style: Style): string {
  const paint = { ok: String, warning: style.warning, bad: style.bad }[state];
  return `${paint(care.states[state])} ${style.bold(care.subjects[subject])}: ${revealLine(sentence)}`;
}

function judgeConfig({ config }: StatusReport, { status }: Words): Finding[] {
  const subject = "config";
  const problems = config.problems.map((sentence): Finding => ({ subject, state: "bad", sentence }));
  const warnings = config.warnings.map((sentence): Finding => ({ subject, state: "warning", sentence }));
  if (problems.length + warnings.length > 0) return [...problems, ...warnings];
  return [{ subject, state: "ok", sentence: `${config.path} (${status.source[config.source]})` }];
}

function judgeModel({ model, modelProblem }: StatusReport, { care, status }: Words): Finding[] {
  const subject = "model";
  if (modelProblem !== undefined) return [{ subject, state: "bad", sentence: modelProblem }];
  if (model === undefined) return [];
  if (model.key === "missing") return [{ subject, state: "bad", sentence: care.keyMissing(model.host) }];
  if (model.isOffline)
    return [{ subject, state: "warning", sentence: `${status.demo} (${status.nextOnboard})` }];
  return [{ subject, state: "ok", sentence: status.modelAt(model.name, model.host) }];
}

function judgeSandbox({ protection }: StatusReport, words: Words): Finding[] {
  const sandbox = protection?.sandbox;
  if (sandbox === undefined) return [];
  const subject = "sandbox";
  const sentence = describeState(sandbox, words);
  if (sandbox.isContained) return [{ subject, state: "ok", sentence }];
  return [{ subject, state: sandbox.mode === "required" ? "bad" : "warning", sentence }];
}

/** Those that could be there and are not. */
function judgeChannels({ ownChannels = [], unknownChannels = [] }: StatusReport): Finding[] {
  const customProblems = ownChannels.flatMap(({ file, reason }) =>
    reason === null ? [] : [`${file}: ${reason}`],
  );
  return [...unknownChannels, ...customProblems].map(
    (sentence): Finding => ({ subject: "channels", state: "warning", sentence }),
  );
}

async function judgeDisk(paths: HomePaths, words: Words): Promise<Finding> {
  const { home } = paths;
  const { care } = words;
  const subject = "disk";
  const obstacle = await checkHome(paths);
  if (obstacle !== undefined) return { subject, state: "bad", sentence: say(obstacle, words) };
  const free = await readFreeBytes(paths);
  if (free === undefined) return { subject, state: "ok", sentence: care.noHome(home) };
  const megabytes = Math.floor(free / 1024 / 1024);
  if (free < leastDisk) return { subject, state: "bad", sentence: care.diskFull(megabytes) };
  return { subject, state: "ok", sentence: care.diskFree(megabytes) };
}

/** What only the owner should be able to read. */
async function judgeModes(paths: HomePaths, { care }: Words): Promise<Finding[]> {
  const subject = "files";
  const wide = (await listOpenFiles(paths)).map(
    (path): Finding => ({ subject, state: "warning", sentence: care.tooOpen(path, `chmod go= ${path}`) }),
  );
  return wide.length > 0 ? wide : [{ subject, state: "ok", sentence: care.closed }];
}

async function judgeFolders(paths: HomePaths, workspace: string, words: Words): Promise<Finding[]> {
  const unusable = await listUnusableFolders(paths, workspace);
  return unusable.map((params): Finding => {
    const sentence = say(phrase("storage.unusable", params), words);
    return { subject: "files", state: "bad", sentence };
  });
}

/** What was written in the future was written by another clock. */
async function judgeClock(paths: HomePaths, { care }: Words): Promise<Finding> {
  const subject = "clock";
  const now = systemClock.now();
  const isBehind = (await readNewestTime(paths)) > now + 60_000;
  const sentence = new Date(now).toLocaleString();
  return isBehind
    ? { subject, state: "bad", sentence: care.clockBehind(sentence) }
    : { subject, state: "ok", sentence };
}

async function judgeGateway(paths: HomePaths, words: Words): Promise<Finding[]> {
  const { care, gateway } = words;
  const subject = "gateway";
  const address = await findGateway(paths.run);
  if (address === undefined)
    return [{ subject, state: "warning", sentence: say(phrase("gateway.not-running"), words) }];
  const { channels, problems, waiting } = await createHttpClient(address).call("gateway.status", {});
  const reachable: Finding = { subject, state: "ok", sentence: address.url };
  const reported = problems.map(
    (problem): Finding => ({ subject, state: "bad", sentence: say(problem.phrase, words) }),
  );
  const each = channels.map(({ name, state, error }): Finding => {
    const sentence =
      error === undefined ? gateway.state[state] : `${gateway.state[state]}: ${say(error, words)}`;
    const isBad = state === "failed" || state === "retrying";
    return { subject, state: isBad ? "bad" : "ok", sentence: `${name}: ${sentence}` };
  });
  const stuck: Finding[] =
    waiting > 0 ? [{ subject, state: "warning", sentence: care.waiting(waiting) }] : [];
  return [reachable, ...reported, ...each, ...stuck];
}

async function judgeState(paths: HomePaths, workspace: string, words: Words): Promise<Finding[]> {
  const subject = "state";
  const problems = await findStateProblems(paths, workspace);
  const findings = problems.map(
    (problem): Finding => ({ subject, state: "warning", sentence: say(problem, words) }),
  );
  return [...(await judgeDatabase(paths, words)), ...findings];
}

/** What the first start after 0.1.0 has moved; nothing is said where that was nothing. */
async function judgeMemory(workspace: string, { care }: Words): Promise<Finding[]> {
  const sorted = await readSorted(workspace);
  if (sorted === undefined || sorted.moved === 0) return [];
  const when = new Date(sorted.at).toLocaleString();
  const sentence = care.memorySorted(sorted.moved, when);
  return [{ subject: "memory", state: "ok", sentence }];
}

async function judgeDatabase(paths: HomePaths, words: Words): Promise<Finding[]> {
  const { stateDatabase: path } = paths;
  const subject = "state";
  const condition = await inspectState(paths);
  switch (condition.kind) {
    case "absent":
      return [];
    case "usable":
      return [{ subject, state: "ok", sentence: path }];
    case "damaged":
      return [{ subject, state: "bad", sentence: words.care.stateDamaged(path) }];
    case "newer":
      return [{ subject, state: "bad", sentence: say(condition.error.phrase, words) }];
    case "unusable": {
      const { errno } = condition;
      return [{ subject, state: "bad", sentence: say(phrase("storage.unusable", { path, errno }), words) }];
    }
  }
}
