// `nanobot skills revisions`, `apply` and `refuse`: changes that Dream proposes for skills, as diffs, and the decision.
import type { Client } from "../../api/client.ts";
import { describeRevision } from "../../api/skills/describe-revisions.ts";
import { nanobot } from "../../lib/program-command.ts";
import type { SkillsOptions } from "../command-line/options.ts";
import { confirm } from "../terminal/confirm.ts";
import { printReport } from "../terminal/report.ts";
import type { CommandContext, Terminal } from "../terminal/terminal.ts";

const shortHash = 8;

export async function listRevisions(
  client: Client,
  options: SkillsOptions,
  terminal: Terminal,
): Promise<number> {
  const { skills } = terminal.words;
  const report = await client.call("skills.revisions", {});
  const waiting = report.revisions.flatMap(({ skill, reason, diff }) => [
    terminal.style.bold(skills.revision(skill, reason)),
    diff,
    "",
  ]);
  const used = report.uses.map(({ skill, hash, read, succeeded }) =>
    skills.used(skill, hash.slice(0, shortHash), read, succeeded),
  );
  const lines = [...(waiting.length === 0 ? [skills.noRevisions] : [...waiting, skills.decide]), ...used];
  return printReport({ json: report, text: lines.join("\n") }, options, terminal);
}

export async function decideRevision(request: {
  name: string;
  decision: "apply" | "refuse";
  client: Client;
  options: SkillsOptions;
  context: CommandContext;
}): Promise<number> {
  const { name, decision, client, options, context } = request;
  const { stdout, words } = context.terminal;
  if (decision === "apply") {
    const { revisions } = await client.call("skills.revisions", {});
    const revision = revisions.find(({ skill }) => skill === name);
    if (revision !== undefined && options.json !== true) stdout.write(`${revision.diff}\n`);
    const question = { text: words.skills.askApply(name), isAnswered: options.yes === true };
    if (revision !== undefined && !(await confirm(question, context))) return 1;
  }
  const outcome = await client.call("skills.revise", { name, decision });
  const text = describeRevision(outcome, words, `${nanobot} memory restore`);
  return printReport({ json: outcome, text }, options, context.terminal);
}
