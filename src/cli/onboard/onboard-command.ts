// `nanobot onboard`: finds out which model should answer, tries it, and only then writes config and workspace.
import { type Plan, toConfigPatch } from "../../api/models/plan.ts";
import { loadConfig } from "../../config/load.ts";
import { tellProblems } from "../../config/problem.ts";
import { saveConfig } from "../../config/save.ts";
import { systemClock } from "../../lib/clock.ts";
import { canBeWorkspace } from "../../storage/check-places.ts";
import { copyTemplates } from "../../storage/documents/templates.ts";
import { findForeignHomes } from "../../storage/foreign/find-foreign.ts";
import { resolveHome } from "../../storage/home.ts";
import type { OnboardOptions } from "../command-line/options.ts";
import { confirm } from "../terminal/confirm.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { CommandContext } from "../terminal/terminal.ts";
import { checkFlags, type Onboarding, planSilently, say, saySandbox } from "./plan-from-flags.ts";

export async function runOnboard(options: OnboardOptions, context: CommandContext): Promise<number> {
  const { terminal, signal } = context;
  const { onboard } = terminal.words;
  checkFlags(options, terminal.words);
  if (options.yes !== true && !terminal.isInteractive) throw new CommandFailure(onboard.needsTerminal, 2);
  const onboarding = await openOnboarding(options, context);
  const plan =
    options.yes === true
      ? await planSilently(onboarding)
      : await (await import("./plan-together.ts")).planTogether(onboarding);
  signal.throwIfAborted();
  await write(plan, onboarding);
  return offerMoveIn(onboarding);
}

/** Where another assistant has a home, its memory, skills and chats can be taken over. */
async function offerMoveIn(onboarding: Onboarding): Promise<number> {
  const { options, terminal, signal } = onboarding;
  const { moveIn } = terminal.words;
  for (const { program, folder } of findForeignHomes(terminal.env)) {
    const name = moveIn.programs[program];
    say(onboarding, moveIn.found(name, folder));
    const isWanted =
      options.yes !== true &&
      (await confirm({ text: moveIn.askNow(name), isAnswered: false }, { terminal, signal }));
    if (!isWanted) {
      say(onboarding, moveIn.offer(name, folder));
      continue;
    }
    const { runMoveIn } = await import("../commands/move-in.ts");
    const { config, workspace } = options;
    await runMoveIn({ from: folder, ...(config && { config }), ...(workspace && { workspace }) }, onboarding);
  }
  return 0;
}

async function write(plan: Plan, onboarding: Onboarding): Promise<void> {
  const { options, terminal, paths: home, loaded } = onboarding;
  const { env, words } = terminal;
  const folder = loaded.config.agents.defaults.workspace;
  const workspace = options.workspace === undefined ? undefined : folder;
  const saved = await saveConfig({ home, env, clock: systemClock, change: toConfigPatch(plan, workspace) });
  if (!saved.ok)
    throw new CommandFailure(words.onboard.notSaved(tellProblems(saved.problems, words).join("; ")));
  say(onboarding, words.onboard.saved(home.config));
  const made = await copyTemplates(folder, { hasBootstrap: options.skipBootstrap !== true });
  if (made.length > 0) say(onboarding, words.onboard.templates(made.length, folder));
  const { problems, warnings } = await loadConfig({ home, env });
  const missing = warnings.filter(({ phrase }) => phrase.code === "config.variable-not-set");
  for (const problem of tellProblems([...problems, ...missing], words)) say(onboarding, problem);
  saySandbox(onboarding);
  say(onboarding, words.onboard.done);
}

/** A config that cannot be read is not built upon; one that only lacks variables may be repaired here. */
async function openOnboarding(options: OnboardOptions, context: CommandContext): Promise<Onboarding> {
  const { terminal, signal } = context;
  const { env, words } = terminal;
  const paths = resolveHome({ env, configPath: options.config });
  const place = { home: paths, env, workspaceOverride: options.workspace };
  const loadedConfig = await loadConfig(place);
  const isRepairable =
    loadedConfig.problems.length > 0 &&
    loadedConfig.problems.every(({ phrase }) => phrase.code === "config.variable-not-set");
  const loaded = isRepairable ? await loadConfig({ ...place, leavesOutMissing: true }) : loadedConfig;
  if (!loaded.ok || loaded.source === "last-good") {
    throw new CommandFailure(words.onboard.notSaved(tellProblems(loaded.problems, words).join("; ")));
  }
  const { workspace } = loaded.config.agents.defaults;
  if (!(await canBeWorkspace(workspace))) throw new CommandFailure(words.failure.notAFolder(workspace));
  const { createTryModel } = await import("../../api/models/try-model.ts");
  const tryModel = createTryModel({ loaded, env, signal, paths });
  return { ...context, options, paths, loaded, tryModel };
}
