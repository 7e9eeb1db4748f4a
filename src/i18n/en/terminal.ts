// What the chat in the terminal says, in English.

export const englishTerminal = {
  moreLines: (count: number | string) => `${count} more ${count === 1 ? "line" : "lines"}`,
  hint: "/help, @file, $skill, !command; Ctrl-R: conversations, Esc: stop, Ctrl-D: leave.",
  escStops: "Esc stops",
  shared: (command: string) => `I ran \`${command}\` myself. This is what it printed:`,
  sharesNext: "Goes along with your next message.",
  noImage: "There is no image in the clipboard, or this terminal cannot read it. Name a file with @ instead.",
  sessions: "Conversations (Enter opens, Esc goes back)",
  noSessions: "There is no conversation yet.",
  opened: (title: string) => (title === "" ? "Conversation without a title" : `Conversation: ${title}`),
  chatOf: (time: string) => `Chat of ${time}`,
  running: "at work",
  elsewhere: (channel: string) => `from ${channel}`,
  tokens: (count: string) => `${count} tokens`,
  cached: (percent: number | string) => `${percent}% cached`,
  sandboxed: "sandbox",
  unsandboxed: "no sandbox",
  gateway: "gateway",
  lost: "gateway gone, trying again",
  back: "The gateway is back.",
  unanswered:
    "The gateway went away before it answered. What was sent is kept; the answer follows when it is back.",
  leave: "leave",
  plain: "plain lines instead of the full screen",
};
