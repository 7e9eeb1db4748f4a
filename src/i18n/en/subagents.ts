// What is said about subagents, in English.

export const englishSubagents = {
  none: "No subagents are at work in this conversation.",
  row: (id: string, label: string, seconds: number | string, progress: string) =>
    `${id}  ${label}: ${progress}, for ${seconds} s`,
  waiting: "waiting for its turn",
  progress: (step: number | string, calls: number | string) =>
    `step ${step}, ${calls} ${calls === 1 ? "tool call" : "tool calls"}`,
  stopped: (label: string) => `Stopped "${label}".`,
  usage: "Use /agents to list them, /agents stop <id> to end one.",
};
