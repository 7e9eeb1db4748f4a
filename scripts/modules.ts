// The modules and their layers as data, for the direction check; and the limits of the size check. AGENTS.md says
// what each module is for.

export interface Module {
  name: string;
  /** When set, the only other modules it may import from. */
  only?: string[];
}

/** From top to bottom: a file imports from its own module or from a module lower in this list. */
export const modules: Module[] = [
  { name: "index" },
  { name: "cli" },
  // Gateways of several homes on one machine of a cluster.
  { name: "cluster" },
  { name: "sdk" },
  // Constructs everything.
  { name: "app" },
  { name: "server" },
  // Every operation once. The socket, HTTP, the command line, slash commands and tools are adapters.
  { name: "api" },
  // One schema from the modules' config.ts files, which may be in higher modules.
  { name: "config" },
  { name: "agent" },
  { name: "context" },
  { name: "recall" },
  { name: "dream" },
  { name: "memory" },
  { name: "skills" },
  { name: "mcp" },
  { name: "tools" },
  { name: "guards" },
  { name: "schedule", only: ["storage", "bus", "i18n", "lib"] },
  { name: "channels", only: ["storage", "bus", "i18n", "lib"] },
  { name: "runner" },
  // The only module that opens files of the home. Above the modules whose types it stores.
  { name: "storage" },
  { name: "offline" },
  { name: "llm" },
  { name: "bus" },
  { name: "i18n" },
  { name: "lib" },
];

/**
 * The files of channels/ that are not a channel. Every channel may import them, and other modules import nothing else of
 * channels/. Only the list imports the channels. Every other file or folder there is one channel.
 */
export const channels = {
  list: "index",
  shared: [
    "access",
    "channel-failure",
    "channel-kind",
    "access-token",
    "gateway",
    "json-socket",
    "forget-oldest",
    "last-seen",
    "platform-api",
    "text-socket",
    "config",
    "draft",
    "live-view",
    "mention",
    "manager",
    "markup",
    "own-channel",
    "reception",
    "split-text",
  ],
};

/**
 * Only storage/ opens, names and parses session files. Other modules import types of src/storage/sessions, and values of
 * these files only: the manager, and what reads an entry that it has returned.
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
  ],
};

/** Formats that only the Python original has: imported by the start and by the readers of old formats only. */
export const pythonFiles = {
  folder: "src/storage/python/",
  importers: [
    "src/app/open-storage.ts",
    "src/cli/care/status-report.ts",
    "src/config/interpret.ts",
    "src/config/load.ts",
    "src/config/moving-in.ts",
    "src/config/save.ts",
    "src/storage/sessions/format/line.ts",
    "src/storage/sessions/format/entry-facts.ts",
    "src/storage/sessions/interrupted-turn.ts",
    "src/storage/sessions/session-folder.ts",
  ],
};

/** Functions and parameters are capped in biome.json. */
export const caps = { sourceLines: 400, testLines: 600, folderFiles: 24, imports: 15, guideLines: 120 };
