// The eleven steps of docs/durability.md and of what follows a turn, each with the write after which a process dies there.
// The message that is being answered asks for a command whose effect is counted.

export interface KilledStep {
  name: string;
  /** A pattern for the statements of the transaction, or for what was written to a file; neither: while the command runs. */
  commit?: string;
  file?: string;
}

export const killedSteps: readonly KilledStep[] = [
  { name: "01-accepted", commit: "INSERT OR IGNORE INTO inbox" },
  { name: "02-claimed", commit: "UPDATE inbox SET attempts" },
  { name: "03-user-message", file: '"role":"user"' },
  { name: "04-reply", file: '"tool_calls"' },
  { name: "05-command-runs" },
  { name: "06-result", file: '"role":"tool"' },
  { name: "07-answer", file: '"latency_ms"' },
  { name: "08-delivered", commit: "INSERT OR IGNORE INTO outbox" },
  { name: "09-sending", commit: "SET state = 'sending'" },
  { name: "10-sent", commit: "SET state = 'sent'" },
  { name: "11-summarised", file: '"through"' },
];

export const effect = "effect";
/** Ends with the process that runs it. */
export const killedCommand = `echo ${effect} >> effects.txt`;
export const hangingCommand = `${killedCommand}; while kill -0 $PPID 2>/dev/null; do sleep 0.1; done`;

export function toQuestion(command: string): string {
  return `Please do exec ${JSON.stringify({ command })} #b1`;
}
