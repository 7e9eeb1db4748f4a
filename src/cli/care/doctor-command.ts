// `nanobot doctor`: looks at everything that can be wrong with a home and says how to put it right. Changes nothing.
import { readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { checkHome } from "../../app/check-places.ts";
import { phrase } from "../../i18n/phrase.ts";
import { say, type Words } from "../../i18n/words.ts";
import { systemClock } from "../../lib/clock.ts";
import { revealLine } from "../../lib/visible-text.ts";
import { ignoreMissing } from "../../storage/files/plain-file.ts";
import { type HomePaths, resolveHome } from "../../storage/home.ts";
import type { Style } from "../draw/style.ts";
import { collectStatus, type StatusReport } from "../status-report.ts";
import type { CommandContext } from "../terminal.ts";
import type { DoctorOptions } from "./care-lines.ts";
import { judgeGateway } from "./judge-gateway.ts";
import { judgeMemory, judgeState } from "./judge-state.ts";

export interface Finding {
  subject: keyof Words["care"]["subjects"];
  state: "ok" | "warning" | "bad";
  sentence: string;
}

const leastDisk = 200 * 1024 * 1024;

export async function runDoctor(options: DoctorOptions, { terminal }: CommandContext): Promise<number> {
  const { env, words, stdout, style } = terminal;
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
  const text =
    options.json === true
      ? JSON.stringify(findings)
      : findings.map((finding) => draw(finding, words, style)).join("\n");
  stdout.write(`${text}\n`);
  return findings.some(({ state }) => state === "bad") ? 1 : 0;
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
  const sentence = status.modelAt(model.name, model.host);
  if (model.isOffline)
    return [{ subject, state: "warning", sentence: `${sentence} (${status.nextOnboard})` }];
  return [{ subject, state: "ok", sentence }];
}

function judgeSandbox({ protection }: StatusReport, { sandbox: words }: Words): Finding[] {
  const sandbox = protection?.sandbox;
  if (sandbox === undefined) return [];
  const subject = "sandbox";
  if (sandbox.isContained) return [{ subject, state: "ok", sentence: words[sandbox.name] }];
  const sentence = sandbox.reason === "forbidden" ? words.forbidden(sandbox.detail) : words[sandbox.reason];
  return [{ subject, state: sandbox.mode === "required" ? "bad" : "warning", sentence }];
}

/** Those that could be there and are not. */
function judgeChannels({ ownChannels = [], unknownChannels = [] }: StatusReport): Finding[] {
  const own = ownChannels.flatMap(({ file, reason }) => (reason === null ? [] : [`${file}: ${reason}`]));
  return [...unknownChannels, ...own].map(
    (sentence): Finding => ({ subject: "channels", state: "warning", sentence }),
  );
}

async function judgeDisk(paths: HomePaths, words: Words): Promise<Finding> {
  const { home } = paths;
  const { care } = words;
  const subject = "disk";
  const obstacle = await checkHome(paths, words);
  if (obstacle !== undefined) return { subject, state: "bad", sentence: obstacle };
  const facts = await statfs(home).catch(ignoreMissing);
  if (facts === undefined) return { subject, state: "ok", sentence: care.noHome(home) };
  const free = facts.bavail * facts.bsize;
  const megabytes = Math.floor(free / 1024 / 1024);
  if (free < leastDisk) return { subject, state: "bad", sentence: care.diskFull(megabytes) };
  return { subject, state: "ok", sentence: care.diskFree(megabytes) };
}

/** What only the owner should be able to read. */
async function judgeModes({ home, config }: HomePaths, { care }: Words): Promise<Finding[]> {
  const subject = "files";
  const wide: Finding[] = [];
  for (const path of [home, config, join(home, "state.db"), join(home, "pairing.json")]) {
    const mode = (await stat(path).catch(ignoreUnreadable))?.mode;
    if (mode === undefined || (mode & 0o077) === 0) continue;
    wide.push({ subject, state: "warning", sentence: care.tooOpen(path, `chmod go= ${path}`) });
  }
  return wide.length > 0 ? wide : [{ subject, state: "ok", sentence: care.closed }];
}

/** Folders that are there and cannot be looked into: another owner, a network disk that is gone. */
async function judgeFolders(paths: HomePaths, workspace: string, words: Words): Promise<Finding[]> {
  const inside = ["memory", "skills", "people", "groups", "cron", "prompts", ".nanobot"];
  const { home, sessions, run, logs, cache, media, toolResults } = paths;
  const all = [home, sessions, run, logs, cache, media, toolResults, workspace];
  const folders = [...all, ...inside.map((name) => join(workspace, name))];
  const found = folders.map(async (path): Promise<Finding[]> => {
    const code = await readdir(path).then(() => "ENOENT", codeOf);
    if (code === "ENOENT") return [];
    const sentence = say(phrase("storage.unusable", { path, errno: code }), words);
    return [{ subject: "files", state: "bad", sentence }];
  });
  return (await Promise.all(found)).flat();
}

function codeOf({ code }: NodeJS.ErrnoException): string {
  return code ?? "EIO";
}

function ignoreUnreadable(): undefined {}

/** What was written in the future was written by another clock. */
async function judgeClock({ home, config }: HomePaths, { care }: Words): Promise<Finding> {
  const subject = "clock";
  const now = systemClock.now();
  const paths = [config, join(home, "state.db"), join(home, "logs", "nanobot.log")];
  const times = await Promise.all(
    paths.map(async (path) => (await stat(path).catch(ignoreUnreadable))?.mtimeMs ?? 0),
  );
  const isBehind = Math.max(...times) > now + 60_000;
  const sentence = new Date(now).toLocaleString();
  return isBehind
    ? { subject, state: "bad", sentence: care.clockBehind(sentence) }
    : { subject, state: "ok", sentence };
}
