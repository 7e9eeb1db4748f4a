// The rooms of the house as data, for the direction check; and the limits of the size check. See docs/the-walk.md for what each is for.

export interface Room {
  name: string;
  /** When set, the only other rooms it may import from. */
  only?: string[];
}

/** From the roof to the ground: a file imports from its own room or from a room lower in this list. */
export const rooms: Room[] = [
  { name: "index" },
  // With the terminal chat: drawn over what stays, on this assistant or on a gateway that may go and come back.
  { name: "cli" },
  // The assistant as a library, for programs.
  { name: "sdk" },
  // Construction. Setting up models is here, too, because terminal and browser both do it.
  { name: "app" },
  // Half of it is the socket: numbered events, sign-in by link, conversations as they happen.
  { name: "server" },
  // The application: every operation once. The socket, HTTP, the command line, slash commands and tools are adapters.
  { name: "api" },
  // One schema from the modules' slices, which may lie above it.
  { name: "config" },
  { name: "agent" },
  { name: "context" },
  // The index over everything that was said, in a thread of its own: it can be deleted at will, and nothing of the
  // heart needs it.
  // With it: tracing a line of memory to its messages, and forgetting both.
  { name: "recall" },
  // What goes over the memory while nobody waits for it, and every version that it leaves. No turn passes through it.
  { name: "dream" },
  { name: "memory" },
  { name: "skills" },
  // Half of it is survival: servers that hang, flood, die, lie about their schemas and outlive us.
  { name: "mcp" },
  { name: "tools" },
  { name: "guards" },
  { name: "schedule", only: ["storage", "bus", "i18n", "lib"] },
  { name: "channels", only: ["storage", "bus", "i18n", "lib"] },
  { name: "runner" },
  // Everything durable, and the only module that opens files of the home. Above the modules whose types it stores.
  // Half of it is survival: damage, other writers, older places and formats.
  { name: "storage" },
  // The models without a host, of rules and of a script; nothing of the heart knows them. A third of it reads times as
  // people say them, in two languages.
  { name: "offline" },
  // Two protocols with their quirks, some fifty hosts as data, and the wrappers.
  { name: "llm" },
  { name: "bus" },
  // What the program says to people, in each language: data that grows with every command, and no logic.
  { name: "i18n" },
  { name: "lib" },
];

/**
 * The files of channels/ that are no channel. Every channel may see them, and other rooms see nothing else of
 * channels/; of them only the list names the channels. All other files and folders there are one channel each.
 */
export const channels = {
  list: "index",
  shared: [
    "access",
    "channel-failure",
    "channel-kind",
    "config",
    "draft",
    "live-view",
    "manager",
    "markup",
    "own-channel",
    "reception",
    "split-text",
  ],
};

/**
 * Files of sessions are opened, named and parsed in storage/ only. Of src/storage/sessions other modules import types, and
 * beside them these files: the manager, and what reads a message that it has handed out.
 */
export const sessionFiles = {
  folder: "src/storage/sessions/",
  open: [
    "session-manager.ts",
    "session-folder.ts",
    "interrupted-turn.ts",
    "reference.ts",
    "side-log.ts",
    "format/content.ts",
    "format/entry-facts.ts",
    "format/entry-id.ts",
    "format/legal-history.ts",
    "format/replay.ts",
    "format/tool-calls.ts",
  ],
};

/** What only the Python original has is known to the start and to the readers of old formats, and to nobody else. */
export const pythonFiles = {
  folder: "src/storage/python/",
  importers: [
    "src/app/build-app.ts",
    "src/cli/status-report.ts",
    "src/config/interpret.ts",
    "src/config/load.ts",
    "src/config/moving-in.ts",
    "src/config/save.ts",
    "src/storage/sessions/format/line.ts",
    "src/storage/sessions/format/unmarked-entry.ts",
    "src/storage/sessions/interrupted-turn.ts",
    "src/storage/sessions/session-folder.ts",
  ],
};

/** Functions and parameters are capped in biome.json. */
export const caps = { sourceLines: 400, testLines: 600, imports: 15, guideLines: 120 };
