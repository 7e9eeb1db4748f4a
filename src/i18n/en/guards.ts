// What is said around approvals, trust and content from outside, in English.

export const englishApproval = {
  question: (title: string) => `Allow? ${title}`,
  reason: (reason: string) => `Why it is asked: ${reason}`,
  risk: (risk: string) => `Risk: ${risk}`,
  sources: (sources: string) => `This conversation holds content from outside: ${sources}`,
  sessionCovers: (subject: string) => `"session" covers, until this conversation ends: ${subject}`,
  alwaysCovers: (subject: string) =>
    `"session" holds until this conversation ends, "always" until you take it back with /untrust: ${subject}`,
  notShown: (count: number | string) =>
    `${count} ${count === 1 ? "further line is" : "further lines are"} not shown.`,
  choices: "[y]es, [s]ession, [a]lways, [N]o",
  choicesSession: "[y]es, [s]ession, [N]o",
  choicesOnce: "[y]es, [N]o",
  allowed: "Allowed.",
  refused: "Refused.",
  refusedByOwner: "the owner said no",
  notAnAnswer: (choices: string) => `Please answer the question first: ${choices}`,
  answers: {
    once: ["y", "yes", "ok", "okay", "allow", "sure"],
    session: ["s", "session", "yes session", "for this session"],
    always: ["a", "always", "yes always", "forever"],
    no: ["n", "no", "nope", "deny", "refuse", "never"],
  },
  risks: {
    files: "files are changed.",
    instructions: "it becomes part of what later conversations begin with.",
    command: "a command can change, delete and start things.",
    network: "what is sent can hold anything that was read here.",
    people: "somebody else reads it, under your name.",
    later: "it happens later, when nobody watches.",
    alone: "it works on by itself, with your tools.",
    foreign: "another program decides what it does.",
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
  ownerOnly: "Only the owner can do that.",
  minutes: (most: number | string) => `Give a number of minutes from 1 to ${most}: /trust 30`,
  given: (until: string) =>
    `Until ${until} this conversation is trusted: what I would ask about is done without a question. What is refused stays refused, and after content from outside I still ask. /untrust ends it.`,
  ended: "This conversation is no longer trusted; I ask again.",
  notGiven: "This conversation is not trusted.",
  until: (until: string) => `Trusted until ${until}`,
  rememberedHead: "Always allowed:",
  forget: "/untrust <number> takes one back, /untrust all takes back all of them.",
  nothingRemembered: "Nothing is allowed for ever.",
  forgotten: (subject: string) => `No longer allowed: ${subject}`,
  noSuchNumber: (number: string) => `There is no number ${number} in the list. /untrust shows it.`,
  outside: (sources: string) => `Content from outside: ${sources} (/new begins without it)`,
};

/** Made by the guards in English, and retold by whoever shows a question. */
export const englishGuards = {
  runTitle: "Run a command",
  fileTitle: "Use a file",
  skillTitle: "Write a skill",
  skillReason: "Skills are instructions for later conversations.",
  promptTitle: (file: string) => `Change ${file}, which conversations begin with`,
  fetchTitle: (host: string) => `Ask ${host} for something, with data in the request`,
  sendTitle: (address: string) => `Send a message to ${address}`,
  scheduleTitle: "Plan something for later",
  spawnTitle: "Start a subagent",
  callTitle: (tool: string, server: string) => `Use ${tool} of ${server}`,
  outsideReason: "Something in this conversation came from outside and may have asked for it.",
  guestReason: "A guest asked for it.",
};
