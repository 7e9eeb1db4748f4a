// What is said around approvals, trust and content from outside, in English.

export const englishApproval = {
  question: (title: string) => `Allow this? ${title}`,
  reason: (reason: string) => `Reason: ${reason}`,
  risk: (risk: string) => `Risk: ${risk}`,
  sources: (sources: string) => `This chat contains content from outside: ${sources}`,
  sessionCovers: (subject: string) => `"Allow in this chat" covers: ${subject}`,
  alwaysCovers: (subject: string) => `A lasting yes covers exactly this (/untrust takes it back): ${subject}`,
  notShown: (count: number | string) =>
    `${count} ${count === 1 ? "further line is" : "further lines are"} not shown.`,
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
    file: "files outside of the workspace",
    pipe: "piped text",
    mcp: "an MCP server",
    guest: "a guest",
    skill: "a skill",
    command: "a command",
    tool: "a tool of your own",
  },
};

export const englishTrust = {
  given: (until: string) =>
    `Until ${until} this conversation is trusted: what I would ask about is done without a question. What is refused stays refused, and after content from outside I still ask. /untrust ends it.`,
  ended: "This conversation is no longer trusted; I ask again.",
  notGiven: "This conversation is not trusted.",
  until: (until: string) => `Trusted until ${until}`,
  rememberedHead: "Always allowed:",
  forget: "/untrust <number> takes one back, /untrust all takes back all of them.",
  nothingRemembered: "Nothing is allowed for ever.",
  forgotten: (subject: string) => `No longer allowed: ${subject}`,
  outside: (sources: string) => `Content from outside: ${sources} (/new begins without it)`,
};
