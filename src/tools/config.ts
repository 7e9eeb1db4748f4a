// Config keys of the tools module: `tools` without `mcpServers`, which belongs to mcp/.
import * as z from "zod";

const text = z.string();
const optionalText = text.optional();
const name = z.string().min(1);
const count = z.int().min(1);
const on = z.boolean().default(true);
const off = z.boolean().default(false);
const names = z.array(name).default([]);

export const execSchema = z.object({
  enable: on.describe("The assistant may run commands"),
  timeout: z.int().min(0).default(60).describe("Seconds that a command may take; 0 for no limit"),
  pathPrepend: text.default("").describe("Folders put before PATH"),
  pathAppend: text.default("").describe("Folders put after PATH"),
  sandbox: z
    .enum(["auto", "required", "off"])
    .default("auto")
    .describe("Run commands in a sandbox: where the system has one, or not at all without one, or never"),
  sandboxRoBinds: names.describe("Further files and folders that commands in the sandbox can read"),
  sandboxRwBinds: names.describe("Further files and folders that commands in the sandbox can write"),
  allowedEnvKeys: names.describe("Environment variables that commands may see"),
  allow: names.describe("Commands that run without a question, such as `npm test` or `git push *`"),
  deny: names.describe("Commands that never run, by their first words, such as `git push`"),
  allowPatterns: names.describe("Regular expressions; if there are any, only commands that match run at all"),
  denyPatterns: names.describe("Regular expressions for commands that never run"),
});

export type ExecConfig = z.infer<typeof execSchema>;

const searchSchema = z.object({
  provider: name
    .default("duckduckgo")
    .describe("Search service: duckduckgo, which needs no key, brave, tavily, searxng or bocha"),
  apiKey: text
    .default("")
    .describe("Its key; otherwise BRAVE_API_KEY, TAVILY_API_KEY or BOCHA_API_KEY of the environment"),
  baseUrl: text
    .default("")
    .describe("Its address where it is not the usual one; SearXNG needs one, here or in SEARXNG_BASE_URL"),
  maxResults: z.int().min(1).max(10).default(5).describe("Results of one search"),
  timeout: z.number().positive().default(30).describe("Seconds that a search may take"),
});

const fetchSchema = z.object({
  useJinaReader: off.describe("Without effect: pages are turned into text on this machine"),
});

export const webSchema = z.object({
  enable: on.describe("The assistant may use the web"),
  proxy: optionalText.describe("Proxy of the web tools, instead of the environment's"),
  userAgent: optionalText.describe("What the web tools call themselves; otherwise a common browser"),
  search: searchSchema.prefault({}).describe("Web search"),
  fetch: fetchSchema.prefault({}).describe("Reading of pages"),
});

export type WebConfig = z.infer<typeof webSchema>;

const cliAppsSchema = z.object({
  enable: on.describe("Installed command-line apps can be used"),
  installTimeout: count.default(300).describe("Seconds that an installation may take"),
  runTimeout: count.default(60).describe("Seconds that a run may take"),
  catalogTtlSeconds: z.int().min(0).default(3600).describe("Seconds before the catalogue is read again"),
});

const imageGenerationSchema = z.object({
  enabled: off.describe("The assistant may make images"),
  provider: name.default("openrouter").describe("Host that makes them"),
  model: name.default("openai/gpt-5.4-image-2").describe("Model that makes them"),
  defaultAspectRatio: name.default("1:1").describe("Shape where none is asked for"),
  defaultImageSize: name.default("1K").describe("Size where none is asked for"),
  maxImagesPerTurn: z.int().min(1).max(8).default(4).describe("Most images in one turn"),
  saveDir: name.default("generated").describe("Folder for them, in the media folder"),
});

function isNetwork(text: string): boolean {
  return [z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()].some((form) => form.safeParse(text).success);
}

export const toolsSchema = z.object({
  restrictToWorkspace: on.describe(
    "Files outside the workspace are out of reach; off, the owner's private chats reach them, but not the assistant's home",
  ),
  approval: z
    .enum(["ask", "auto", "off"])
    .default("ask")
    .describe("Risky calls: ask the owner, refuse instead of asking, or do what the owner's turns want"),
  ssrfWhitelist: z
    .array(z.string().refine(isNetwork, "config.bad-network"))
    .default([])
    .describe("Networks (CIDR) that the web tools may reach although they are not public"),
  maxSessionMessagesPerMinute: z
    .int()
    .min(0)
    .default(6)
    .describe("Messages from one conversation to another"),
  webuiAllowLocalServiceAccess: on.describe("The browser UI may reach local services"),
  webuiAllowRemotePackageInstall: off.describe("The browser UI may install packages"),
  exec: execSchema.prefault({}).describe("Commands"),
  web: webSchema.prefault({}).describe("Web"),
  file: z
    .object({ enable: on.describe("The assistant may work with files") })
    .prefault({})
    .describe("Files"),
  my: z
    .object({
      enable: on.describe("The assistant may look at its own settings"),
      allowSet: off.describe("The assistant may change them"),
    })
    .prefault({})
    .describe("Looking at itself"),
  cliApps: cliAppsSchema.prefault({}).describe("Command-line apps"),
  imageGeneration: imageGenerationSchema.prefault({}).describe("Images"),
});

export type ToolsConfig = z.infer<typeof toolsSchema>;
