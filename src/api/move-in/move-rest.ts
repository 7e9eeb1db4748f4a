// Skills, conversations and jobs of another assistant.
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { toSessionKey } from "../../bus/session-key.ts";
import { channelRows } from "../../channels/index.ts";
import { phrase } from "../../i18n/phrase.ts";
import { UserError } from "../../i18n/user-error.ts";
import { toLabel } from "../../lib/labels.ts";
import { toOneLine } from "../../lib/text.ts";
import { findScheduleProblem } from "../../schedule/next-run.ts";
import type { ForeignHome, ForeignJob, ForeignSession } from "../../storage/foreign/foreign-home.ts";
import type { SessionManager } from "../../storage/sessions/session-manager.ts";
import { findOrigin } from "../jobs/jobs.ts";
import type { HomeServices } from "../services.ts";
import { StagedSkills } from "../skills/staged-skills.ts";
import type { ForeignKeys } from "./move-settings.ts";
import { leave, type Step } from "./step.ts";

const longestName = 80;

/** Each is scanned; one in which something was found stays where it is. */
export async function planSkills(home: ForeignHome, services: HomeServices): Promise<Step[]> {
  const steps: Step[] = [];
  const names = new Set<string>();
  for (const folder of home.skills) {
    const step = await planSkill(folder, home, services);
    const { name, action } = step.item;
    const isSecond = action === "add" && names.has(name);
    names.add(name);
    steps.push(isSecond ? leave(step.item, phrase("move-in.skill-there")) : step);
  }
  return steps;
}

async function planSkill(folder: string, home: ForeignHome, services: HomeServices): Promise<Step> {
  const item = { kind: "skill" as const, name: basename(folder), from: folder };
  const staged = new StagedSkills();
  try {
    const stagedSkill = await staged.stage({ source: folder }, services);
    if (Array.isArray(stagedSkill)) return leave(item, phrase("skills.none-inside"));
    const { addition, id } = stagedSkill;
    await staged.discard(id);
    const { name, skill, isReplacing } = addition;
    const planned = { ...item, name, to: join(services.paths.skills, name) };
    const mark = [home.program, "skill", name, skill.hash];
    if (skill.findings.length > 0) return leave(planned, phrase("move-in.skill-flagged", { folder }));
    if (isReplacing) return leave(planned, phrase("move-in.skill-there"));
    return {
      item: { ...planned, action: "add" },
      mark,
      async carryOut() {
        const again = await staged.stage({ source: folder }, services);
        if (!Array.isArray(again)) await staged.add(again.id, false);
      },
    };
  } catch (error) {
    if (error instanceof UserError) return leave(item, error.phrase);
    throw error;
  }
}

export async function planSessions(home: ForeignHome, keys: ForeignKeys): Promise<Step[]> {
  const steps: Step[] = [];
  for await (const session of home.sessions())
    if (session.messages.length > 0) steps.push(planSession(session, home, keys));
  return steps;
}

/** Messages are read again when they are stored: all conversations together may not fit into memory. */
function planSession(session: ForeignSession, { program }: ForeignHome, keys: ForeignKeys): Step {
  const { id, path, title, messages } = session;
  const first = messages.find(({ role }) => role === "user") ?? messages[0];
  const name = toOneLine(keys.clean(title ?? first?.text ?? id), longestName);
  return {
    holdsKey: keys.isIn(title ?? "", ...messages.map(({ text }) => text)),
    item: { kind: "conversation", name, from: path, to: toTakenKey(program, id), action: "add" },
    mark: [program, "conversation", id],
    carryOut: async () => {},
  };
}

function toTakenKey(program: string, id: string): string {
  return `${program}:${id}`;
}

/** All that are wanted, each in one write; yields the key of each that is stored. */
export async function* storeSessions(
  { home, keys }: { home: ForeignHome; keys: ForeignKeys },
  manager: Pick<SessionManager, "take">,
  isWanted: (key: string) => boolean,
): AsyncGenerator<string> {
  for await (const session of home.sessions()) {
    const { id, title, messages, isGroup } = session;
    const key = toTakenKey(home.program, id);
    if (!isWanted(key) || messages.length === 0) continue;
    await manager.take({
      key,
      ...(title !== undefined && { title: keys.take(title) }),
      messages: messages.map((message) => ({ ...message, text: keys.take(message.text) })),
      labels: isGroup ? [toLabel("guest", home.program)] : [],
    });
    yield key;
  }
}

interface JobPlace {
  home: ForeignHome;
  keys: ForeignKeys;
  services: HomeServices;
}

export async function planJobs(place: JobPlace): Promise<Step[]> {
  return Promise.all(place.home.jobs.map((job) => planJob(job, place)));
}

async function planJob(job: ForeignJob, { home, keys, services }: JobPlace): Promise<Step> {
  const { clock, timeZone, cron } = services;
  const { schedule, message } = job;
  const item = {
    kind: "job" as const,
    name: toOneLine(keys.clean(job.name), longestName),
    from: home.folder,
  };
  if (schedule === undefined) return leave(item, phrase("move-in.no-such-schedule"));
  if (!job.isEnabled) return leave(item, phrase("move-in.paused"));
  const problem = await findScheduleProblem(schedule, { now: clock.now(), timeZone });
  if (problem !== undefined) return leave(item, problem);
  const isOurs = channelRows.some(({ name }) => name === job.chat?.channel);
  const chat = isOurs && job.chat !== undefined ? job.chat : { channel: "cli", chatId: "direct" };
  const id = createHash("sha256").update(`${home.program} ${job.id}`).digest("hex").slice(0, 8);
  return {
    item: { ...item, to: toSessionKey(chat), action: "add" },
    mark: [home.program, "job", job.id],
    holdsKey: keys.isIn(message),
    async carryOut() {
      const origin = isOurs ? await findOrigin(services, chat) : { person: "owner", role: "owner" };
      const name = item.name;
      await cron.add({
        id,
        name,
        message: keys.take(message),
        schedule,
        ...chat,
        sessionKey: toSessionKey(chat),
        origin,
      });
    },
  };
}
