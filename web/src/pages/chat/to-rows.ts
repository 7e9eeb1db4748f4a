// A conversation as the rows of its list: a day where one begins, each part, and what stands at the end.
import type {
  AsidePart,
  Ask,
  Conversation,
  Outgoing,
  Part,
  RunningTurn,
  StepPart,
  UserPart,
} from "../../store/conversation.ts";

export type Row =
  | { kind: "day"; id: string; at: number }
  | { kind: "user"; id: string; part: UserPart }
  | {
      kind: "step";
      id: string;
      part: StepPart;
      isRunning: boolean;
      /** Its turn still runs: calls without a result have not ended. */
      isActive: boolean;
    }
  | { kind: "aside"; id: string; part: AsidePart }
  | { kind: "ask"; id: string; ask: Ask }
  | { kind: "running"; id: string; running: RunningTurn }
  | { kind: "ending"; id: string; stop: string }
  | { kind: "outgoing"; id: string; message: Outgoing };

export function toRows(conversation: Conversation): Row[] {
  const { parts, running, ending, asks, outgoing } = conversation;
  const rows: Row[] = [];
  let [midnight, next] = [0, 0];
  for (const [index, part] of parts.entries()) {
    if (isRepeated(part, parts[index - 1])) continue;
    if (part.at < midnight || part.at >= next) {
      midnight = new Date(part.at).setHours(0, 0, 0, 0);
      next = new Date(part.at).setHours(24, 0, 0, 0);
      rows.push({ kind: "day", id: `day-${part.id}`, at: part.at });
    }
    rows.push(toRow(part, running));
  }
  for (const ask of asks) rows.push({ kind: "ask", id: `ask-${ask.askId}`, ask });
  if (running !== undefined && asks.length === 0) rows.push({ kind: "running", id: "running", running });
  // What was sent about the end says more than we could.
  const isTold = parts.at(-1)?.kind === "aside";
  if (ending !== undefined && ending.stop !== "completed" && running === undefined && !isTold)
    rows.push({ kind: "ending", id: "ending", stop: ending.stop });
  for (const message of outgoing) rows.push({ kind: "outgoing", id: message.requestId, message });
  return rows;
}

/** Several that were stopped at once are told once. */
function isRepeated(part: Part, before: Part | undefined): boolean {
  if (part.kind !== "aside" || before?.kind !== "aside" || part.aside.kind !== "notice") return false;
  return part.aside.text === before.aside.text && part.at - before.at < 1_000;
}

function toRow(part: Part, running: RunningTurn | undefined): Row {
  if (part.kind === "user") return { kind: "user", id: part.id, part };
  if (part.kind === "aside") return { kind: "aside", id: part.id, part };
  const isRunning = running?.stepId === part.id;
  return { kind: "step", id: part.id, part, isRunning, isActive: running?.turnId === part.turn };
}
