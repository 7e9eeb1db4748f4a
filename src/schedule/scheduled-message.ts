// What a job says when it is due: a message from the machine, in the chat where the job was made.
import { withThread } from "../bus/session-key.ts";
import type { Cause, Format, NewInbound, Origin, Receipt, Role } from "../bus/types.ts";
import type { Clock } from "../lib/clock.ts";
import { withLabels } from "../lib/labels.ts";
import type { Job } from "../storage/jobs/job.ts";
import { scopeOf } from "../storage/scope.ts";

export function toInbound(job: Job, slot: number): NewInbound {
  return {
    sourceKey: `cron:${job.id}:${slot}`,
    sessionKey: job.sessionKey,
    origin: toKeptOrigin(job, "cron"),
    kind: "system",
    ...withLabels(job.labels ?? []),
    task: { name: job.name, isOnce: job.schedule.kind === "at" },
    text: `[Scheduled task: ${job.name}]\n${job.message}\n\n(It is due now, and nobody is typing. Do it, and tell the user the result in their language, without speaking of this note.)`,
  };
}

/** What of an origin is kept with a job. */
export function keepOrigin({ senderId, person, role, group, format }: Origin): Job["origin"] {
  return { senderId, person, role, format, ...(group !== undefined && { group }) };
}

/** What does not say whose it is has no rights of the owner, except at the terminal, which is the owner's. */
export function toKeptOrigin(
  { channel, chatId, sessionKey, origin }: Pick<Job, "channel" | "chatId" | "sessionKey" | "origin">,
  cause: Cause,
): Origin {
  const isTerminal = channel === "cli";
  const read = (key: string): string => (typeof origin[key] === "string" ? origin[key] : "");
  const role: Role = read("role") === "owner" || (isTerminal && read("role") === "") ? "owner" : "guest";
  return {
    ...withThread({ channel, chatId }, sessionKey),
    senderId: read("senderId") || chatId,
    person: read("person") || (role === "owner" ? "owner" : `${channel}-${chatId}`),
    role,
    cause,
    format: (read("format") || "plain") as Format,
    ...(read("group") !== "" && { group: read("group") }),
  };
}

interface SlotBus {
  publish(message: NewInbound): Promise<Receipt>;
  isOpen(turnId: string): boolean;
  clock: Clock;
}

/** The id of its turn. */
export async function publishSlot(
  job: Job,
  slot: number,
  { publish, isOpen, clock }: SlotBus,
): Promise<string> {
  const message = toInbound(job, slot);
  const { id, isDuplicate } = await publish(message);
  // It was run then and at later times: the clock was set back, and this is another day.
  const isRepeated = isDuplicate && !isOpen(id) && job.runs.some(({ runAtMs }) => runAtMs >= slot);
  if (!isRepeated) return id;
  return (await publish({ ...message, sourceKey: `${message.sourceKey}:${clock.now()}` })).id;
}

/** In private the owner sees everything, a guest what is that guest's; in a group nobody sees what is not the group's. */
export function isForEyesOf(
  { kind, origin: made }: Pick<Job, "kind" | "origin">,
  { group, role, person }: Pick<Origin, "group" | "role" | "person">,
): boolean {
  if (group !== undefined && made.group !== group) return false;
  if (role === "owner") return group === undefined || kind === "turn";
  return kind === "turn" && made.person === person && made.group === group;
}

/**
 * Jobs that the cron tool may list and remove: those of the scope of the turn, also for the owner, who sees the jobs of
 * guests with `/cron`, in the terminal and in the browser. A job without an owner belongs to its chat.
 */
export function isOwnJob(job: Omit<Job, "raw">, origin: Origin): boolean {
  const isHere = job.channel === origin.channel && job.chatId === origin.chatId;
  const isOwn = job.kind === "system" || scopeOf(toKeptOrigin(job, "cron")) === scopeOf(origin);
  return isForEyesOf(job, origin) && (isOwn || isHere);
}
