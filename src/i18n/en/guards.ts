// Approvals, trust, content from outside, and the sandbox, in English.
import { plural } from "./plural.ts";

export const englishGuards = {
  approval: {
    question: (title: string) => `Allow this? ${title}`,
    reason: (reason: string) => `Reason: ${reason}`,
    risk: (risk: string) => `Risk: ${risk}`,
    sources: (sources: string) => `This chat contains content from outside: ${sources}`,
    sessionCovers: (subject: string) => `"Allow in this chat" covers: ${subject}`,
    alwaysCovers: (subject: string) =>
      `"Always allow" covers exactly this (/untrust takes it back): ${subject}`,
    notShown: (count: number | string) => `${plural(count, "more line is", "more lines are")} not shown.`,
    choice: (key: string, label: string) => `[${key}] ${label}`,
    between: ", ",
    answers: {
      once: ["y", "yes", "ok", "okay", "allow", "sure"],
      session: ["s", "session", "yes session", "for this session"],
      always: ["a", "always", "yes always", "forever"],
      no: ["n", "no", "nope", "deny", "refuse", "never"],
    },
    labels: {
      web: "the web",
      mail: "mail",
      file: "files",
      pipe: "piped text",
      mcp: "an MCP server",
      guest: "a guest",
      skill: "a skill",
      command: "a command",
      tool: "a custom tool",
    },
  },

  trust: {
    given: (until: string) =>
      `Until ${until}, I will not ask for permission in this conversation. What is forbidden stays forbidden, and after content from outside I still ask. /untrust ends it.`,
    ended: "I ask for permission again in this conversation.",
    notGiven: "I ask for permission in this conversation.",
    until: (until: string) => `No questions until ${until}`,
    rememberedHead: "Always allowed:",
    forget: "/untrust <number> removes one, /untrust all removes all of them.",
    nothingRemembered: "Nothing is always allowed.",
    forgotten: (subject: string) => `No longer allowed: ${subject}`,
    outside: (sources: string) => `Content from outside: ${sources} (/new starts a chat without it)`,
  },

  sandbox: {
    title: "Sandbox",
  },
};
