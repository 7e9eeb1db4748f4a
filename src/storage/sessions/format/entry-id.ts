// Ids of stored messages, made and read here and nowhere else: `T` for the message that a turn begins with, `T.n` for the
// reply of step n, `T.n.i` for the result of its call i. They key the crash protocol (docs/durability.md).

export function toReplyId(turn: string, step: number): string {
  return `${turn}.${step}`;
}

export function toResultId(reply: string, index: number): string {
  return `${reply}.${index}`;
}

/** Of what the runner asks after a reply, such as to go on. */
export function toPromptId(reply: string): string {
  return `${reply}.prompt`;
}

/** Of what was recalled too late for the message of a turn: once in it, before one of its steps. */
export function toRecalledId(turn: string): string {
  return `${turn}.recalled`;
}

/** Of a step that has spoken already, by its calls, and ends with a second message. */
export function toEndId(reply: string): string {
  return `${reply}.end`;
}

/** Of the message that closes an interrupted turn, after its last one. */
export function toClosedId(last: string): string {
  return `${last}.closed`;
}

export function toClosedResultId(last: string, index: number): string {
  return `${toClosedId(last)}.${index}`;
}

/** Whether it was made in a turn: a reply, a result or a prompt, not a message that someone sent. */
export function isMadeIn(turn: string, id: string): boolean {
  return id.startsWith(`${turn}.`);
}

/** Of a reply, and of what follows from it; undefined for everything else. */
export function readStep(turn: string, id: string): number | undefined {
  const step = isMadeIn(turn, id) ? Number.parseInt(id.slice(turn.length + 1), 10) : Number.NaN;
  return Number.isNaN(step) ? undefined : step;
}

/** Only for lines of 0.1.0, which do not say it themselves. */
export function isClosedId(id: string): boolean {
  return id.endsWith(".closed");
}
