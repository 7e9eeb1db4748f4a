// The heartbeat: a look at HEARTBEAT.md now and then. Without an active task in it nothing is asked of any model.
import type { NewInbound, Origin, Receipt } from "../bus/types.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { takeHead } from "../lib/text.ts";
import { readBelow } from "../storage/files/plain-file.ts";

export interface HeartbeatOptions {
  workspace: string;
  intervalMs: number;
  clock: Clock;
  log: Log;
  publish(message: NewInbound): Promise<Receipt>;
  isOpen(turnId: string): boolean;
  /** The chat that hears of it: the one that was chosen, or the owner's last one. Undefined: there is no such chat. */
  findTarget(): Promise<Origin | undefined>;
}

export const heartbeatKey = "heartbeat";
/** Said by the model when there is nothing to tell; it is not sent. */
export const nothingToSay = "All clear.";
const longestText = 20_000;
const mostBytes = 1024 * 1024;

export class Heartbeat {
  readonly id = "heartbeat";
  readonly everyMs: number;
  readonly #options: HeartbeatOptions;
  #last: string | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.everyMs = options.intervalMs;
  }

  async run(): Promise<undefined> {
    const { workspace, intervalMs, clock, log, publish, isOpen, findTarget } = this.#options;
    const tasks = await readActiveTasks(workspace);
    if (tasks.length === 0 || (this.#last !== undefined && isOpen(this.#last))) return;
    const origin = await findTarget();
    if (origin === undefined) {
      log.info("heartbeat-without-target", { tasks: tasks.length });
      return;
    }
    // To the chat itself, wherever in it something was said last.
    const { thread: _, ...target } = origin;
    const slot = Math.floor(clock.now() / intervalMs);
    const message: NewInbound = {
      sourceKey: `heartbeat:${slot}`,
      sessionKey: heartbeatKey,
      origin: { ...target, cause: "heartbeat" },
      kind: "system",
      silence: nothingToSay,
      text: describeTasks(tasks),
    };
    const { id, isDuplicate } = await publish(message);
    // Its time has been already: the clock was set back.
    const isRepeated = isDuplicate && !isOpen(id);
    const again = { ...message, sourceKey: `${message.sourceKey}:${clock.now()}` };
    this.#last = isRepeated ? (await publish(again)).id : id;
  }
}

/** Of HEARTBEAT.md in a workspace. Throws when it is a link that leads out of the workspace. */
export async function readActiveTasks(workspace: string): Promise<string[]> {
  return findActiveTasks((await readBelow(workspace, "HEARTBEAT.md", mostBytes)) ?? "");
}

/** Lines that are neither blank, nor a heading, nor a comment, nor below a heading that says that they are done. */
export function findActiveTasks(text: string): string[] {
  const tasks: string[] = [];
  let isDone = false;
  for (const line of text.replaceAll(/<!--[\s\S]*?(-->|$)/g, "").split(/\r?\n/)) {
    const heading = /^#{1,6}\s+(.*)$/.exec(line.trim())?.[1];
    if (heading !== undefined) isDone = /^(completed|done|finished|已完成|完成)/i.test(heading.trim());
    else if (line.trim() !== "" && !isDone && !/^[-*+]\s+\[x\]/i.test(line.trim()))
      tasks.push(line.trimEnd());
  }
  return tasks;
}

/** For the prompt: how often the file is checked. */
export function describeHeartbeat({ enabled, intervalS }: { enabled: boolean; intervalS: number }): string {
  if (!enabled) return "by nobody: the heartbeat is switched off";
  const [unit, size] =
    intervalS % 3600 === 0 ? ["hour", 3600] : intervalS % 60 === 0 ? ["minute", 60] : ["second", 1];
  const count = intervalS / size;
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;
}

function describeTasks(tasks: readonly string[]): string {
  return `[Heartbeat]
These tasks stand in HEARTBEAT.md. Do now what is due of them. What you answer goes straight to the user's chat: only what they should hear, in their language, without a word about this note or the file. If there is nothing to tell, answer exactly: ${nothingToSay}

${takeHead(tasks.join("\n"), longestText)}`;
}
