// Whose a job is: who may see it, remove it and pause it.

import type { Origin } from "../bus/types.ts";
import type { Job } from "../storage/jobs/job.ts";
import { scopeOf } from "../storage/scope.ts";
import { toJobOrigin } from "./scheduled-message.ts";

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
  const isOwn = job.kind === "system" || scopeOf(toJobOrigin(job)) === scopeOf(origin);
  return isForEyesOf(job, origin) && (isOwn || isHere);
}
