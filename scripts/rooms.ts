// The rooms of the house as data, for the direction and size checks. See docs/the-walk.md for what each is for.

export interface Room {
  name: string;
  /** Lines of source it may hold, tests not counted. Raising one is a visible edit with a reason. */
  budget: number;
  /** When set, the only other rooms it may import from. */
  only?: string[];
}

/** From the roof to the ground: a file imports from its own room or from a room lower in this list. */
export const rooms: Room[] = [
  { name: "index", budget: 120 },
  // With the terminal chat: drawn over what stays, on this assistant or on a gateway that may go and come back.
  { name: "cli", budget: 7050 },
  // The assistant as a library, for programs.
  { name: "sdk", budget: 500 },
  // A third of it, app/web, answers the pages: a file for each topic. Setting up models, adding skills and judging code of
  // one's own stand here, too, because terminal and browser both do it.
  { name: "app", budget: 9600 },
  // With what keeps secrets out of the forms of the browser.
  { name: "config", budget: 1600 },
  // Half of it is the socket: numbered events, sign-in by link, conversations as they happen.
  { name: "server", budget: 3700 },
  { name: "agent", budget: 2600 },
  { name: "context", budget: 1900 },
  // The index over everything that was said, in a thread of its own: it can be deleted at will, and nothing of the
  // heart needs it.
  // With it: tracing a line of memory to its messages, and forgetting both.
  { name: "recall", budget: 1950 },
  // What goes over the memory while nobody waits for it, and every version that it leaves. No turn passes through it.
  { name: "dream", budget: 1900 },
  { name: "memory", budget: 900 },
  { name: "skills", budget: 1400 },
  // Half of it is survival: servers that hang, flood, die, lie about their schemas and outlive us.
  { name: "mcp", budget: 1900 },
  { name: "tools", budget: 5300 },
  { name: "guards", budget: 6600 },
  { name: "schedule", budget: 1000, only: ["bus", "lib"] },
  { name: "channels", budget: 4200, only: ["bus", "lib"] },
  { name: "runner", budget: 1400 },
  // Half of it is survival: damage, other writers, older places and formats.
  { name: "session", budget: 1900 },
  // The models without a host, of rules and of a script; nothing of the heart knows them. A third of it reads times as
  // people say them, in two languages.
  { name: "offline", budget: 1700 },
  // Two protocols with their quirks, some fifty hosts as data, and the wrappers.
  { name: "llm", budget: 4200 },
  { name: "bus", budget: 900 },
  // What the program says to people, in each language: data that grows with every command, and no logic.
  { name: "words", budget: 2950 },
  { name: "lib", budget: 2400 },
];

/**
 * The files of channels/ that are no channel. Every channel may see them, and other rooms see nothing else of
 * channels/; of them only the list names the channels. All other files and folders there are one channel each.
 */
export const channels = {
  list: "index",
  shared: [
    "access",
    "channel-kind",
    "config",
    "draft",
    "live-view",
    "manager",
    "markup",
    "own-channel",
    "pairing-store",
    "reception",
    "split-text",
  ],
};

export const heart = ["lib", "bus", "llm", "session", "runner", "skills", "context", "memory", "agent"];

/** Why the rim is as large as it is, and what keeps it from growing: docs/decisions/028-size-of-the-rim.md. */
export const totals = { heart: 15_000, rim: 48_500, web: 12_700 };

/** Functions and parameters are capped in biome.json. */
export const caps = { sourceLines: 400, testLines: 600, imports: 15, guideLines: 120 };
