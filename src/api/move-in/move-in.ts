// Moving in from another assistant: what its home holds and what would become of it, and doing it. Nothing of the other
// home is changed; what is done is not done again, so that a run that was killed can be repeated.
import { resolve } from "node:path";
import * as z from "zod";
import { yesOrNo } from "../../bus/ask.ts";
import { phrase } from "../../i18n/phrase.ts";
import { fail, phraseOfError, phraseOfSystemError } from "../../i18n/user-error.ts";
import { ensureWorkspace } from "../../storage/documents/templates.ts";
import { findForeignHomes, readForeignHome } from "../../storage/foreign/find-foreign.ts";
import type { ForeignHome, ForeignProgram } from "../../storage/foreign/foreign-home.ts";
import { TakenItems } from "../../storage/foreign/taken-items.ts";
import { expandTilde } from "../../storage/home.ts";
import { SessionManager } from "../../storage/sessions/session-manager.ts";
import { type OperationRun, operation } from "../operation.ts";
import type { HomeServices, Surroundings } from "../services.ts";
import { planFiles } from "./move-files.ts";
import { planJobs, planSessions, planSkills, storeSessions } from "./move-rest.ts";
import { ForeignKeys, joinPatches, planSettings, type SettingStep } from "./move-settings.ts";
import { type MoveItem, type Step, withoutTaken } from "./step.ts";

export interface MovePlan {
  program: ForeignProgram;
  from: string;
  items: MoveItem[];
}

const from = z.string().min(1).max(4096);

const find = operation({
  name: "move-in.find",
  about: "Homes of other assistants (OpenClaw, Hermes) in the folder of this user.",
  access: "owner",
  needs: "home",
  params: z.strictObject({}),
  run({ env }) {
    return { homes: findForeignHomes(env) };
  },
});

const plan = operation({
  name: "move-in.plan",
  about: "What the home of another assistant holds, and what would become of each item. Changes nothing.",
  access: "owner",
  needs: "home",
  params: z.strictObject({ from }),
  async run(services, params): Promise<MovePlan> {
    const home = await openForeign(params.from, services);
    const keys = new ForeignKeys(home.settings);
    const planned = await planAll({ home, keys, taken: await TakenItems.open(services.paths) }, services);
    const items = [...planned.steps, ...planned.settings].map(({ item }) => item);
    return { program: home.program, from: home.folder, items };
  },
});

const run = operation({
  name: "move-in.run",
  about:
    "Takes over what the home of another assistant holds; it stays as it is. Asks before keys and tokens are copied, unless `secrets` says it.",
  access: "owner",
  needs: "home",
  changes: ["memory", "skills", "jobs", "config", "channels"],
  params: z.strictObject({ from, secrets: z.boolean().optional() }),
  async *run(services, params): OperationRun<MovePlan> {
    const home = await openForeign(params.from, services);
    const taken = await TakenItems.open(services.paths);
    yield { type: "progress", phrase: phrase("move-in.reading") };
    const keys = new ForeignKeys(home.settings);
    const { steps, settings } = await planAll({ home, keys, taken }, services);
    const secrets = [
      ...settings.filter(({ isSecret, patch }) => isSecret && patch !== undefined),
      ...steps.filter(({ holdsKey, carryOut }) => holdsKey && carryOut !== undefined),
    ];
    keys.isAgreed = params.secrets ?? false;
    if (secrets.length > 0 && params.secrets === undefined) {
      const detail = secrets.map(({ item }) => item.to ?? item.name).join("\n");
      const asked = phrase("move-in.ask-secrets", { count: secrets.length });
      keys.isAgreed =
        (yield { type: "question", question: { phrase: asked, detail, choices: yesOrNo } }) === "yes";
    }
    await ensureWorkspace(services.workspace, { hasBootstrap: false });
    const items = [
      ...(yield* carryOutAll(steps, { home, keys, taken }, services)),
      ...(await saveSettings(settings, keys.isAgreed, services)),
    ];
    return { program: home.program, from: home.folder, items };
  },
});

async function openForeign(given: string, { env }: Surroundings): Promise<ForeignHome> {
  const folder = resolve(expandTilde(given, env));
  const home = await readForeignHome(folder, env);
  if (home === undefined) throw fail("move-in.no-home", { folder });
  return home;
}

interface Planned {
  steps: Step[];
  settings: SettingStep[];
}

interface Move {
  home: ForeignHome;
  keys: ForeignKeys;
  taken: TakenItems;
}

async function planAll({ home, keys, taken }: Move, services: HomeServices): Promise<Planned> {
  // Before the files, among which what cannot be read is listed.
  const sessions = await planSessions(home, keys);
  const steps = [
    ...(await planFiles({ home, keys, workspace: services.workspace })),
    ...(await planSkills(home, services)),
    ...(await planJobs({ home, keys, services })),
    ...sessions,
  ];
  const settings = home.settings === undefined ? [] : planSettings(home.settings, services.loaded());
  return { steps: steps.map((step) => withoutTaken(step, taken)), settings };
}

/** One that fails does not keep the others from being done. */
async function* carryOutAll(
  steps: readonly Step[],
  { home, keys, taken }: Move,
  services: HomeServices,
): OperationRun<MoveItem[]> {
  const total = steps.filter(({ carryOut }) => carryOut !== undefined).length;
  const items: MoveItem[] = [];
  let done = 0;
  try {
    for (const { item, mark, carryOut } of steps) {
      const isSession = item.kind === "conversation";
      const failed = carryOut === undefined || isSession ? undefined : await attempt(carryOut);
      items.push(failed === undefined ? item : { ...item, ...failed });
      if (carryOut === undefined || isSession) continue;
      if (failed === undefined) taken.add(...mark);
      yield { type: "progress", phrase: phrase("move-in.taking"), done: ++done, total };
    }
    const sessions = new Map<string, readonly string[]>(
      steps.flatMap(({ item, mark, carryOut }) =>
        item.kind === "conversation" && carryOut !== undefined ? [[item.to ?? "", mark] as const] : [],
      ),
    );
    if (sessions.size === 0) return items;
    const { paths, workspace, clock, log } = services;
    const manager = await SessionManager.open({ root: paths.sessions, workspace, clock, log });
    for await (const key of storeSessions({ home, keys }, manager, (each) => sessions.has(each))) {
      taken.add(...(sessions.get(key) ?? []));
      yield { type: "progress", phrase: phrase("move-in.taking"), done: ++done, total };
    }
    return items;
  } finally {
    await taken.save();
  }
}

async function attempt(work: () => Promise<void>): Promise<Pick<MoveItem, "action" | "reason"> | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    const reason = phraseOfError(error) ?? phraseOfSystemError(error);
    if (reason === undefined) throw error;
    return { action: "failed", reason };
  }
}

async function saveSettings(
  settings: readonly SettingStep[],
  isAgreed: boolean,
  { saveConfig }: HomeServices,
): Promise<MoveItem[]> {
  const wanted = settings.filter(
    ({ patch, isSecret }) => patch !== undefined && (isAgreed || isSecret !== true),
  );
  const patches = wanted.flatMap(({ patch }) => (patch === undefined ? [] : [patch]));
  const failed =
    patches.length === 0
      ? undefined
      : await attempt(async () => {
          await saveConfig(joinPatches(patches));
        });
  return settings.map((step) => {
    if (wanted.includes(step)) return { ...step.item, ...failed };
    const isLeft = step.isSecret === true && step.patch !== undefined;
    return isLeft ? { ...step.item, action: "leave", reason: phrase("move-in.not-copied") } : step.item;
  });
}

export const moveInOperations = [find, plan, run] as const;
