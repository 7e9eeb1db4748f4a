// Whose a job is: who may see it, remove it and pause it.
import type { Origin } from "../bus/types.ts";
import type { Job } from "./job.ts";

/** In private the owner sees everything, a guest what is that guest's; in a group nobody sees what is not the group's. */
export function isForEyesOf(
  { kind, origin: made }: Pick<Job, "kind" | "origin">,
  { group, role, person }: Origin,
): boolean {
  if (group !== undefined && made.group !== group) return false;
  if (role === "owner") return group === undefined || kind === "turn";
  return kind === "turn" && made.person === person && made.group === group;
}
