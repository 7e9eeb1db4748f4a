// Config keys of the tools module: `tools` without `mcpServers`, which belongs to mcp/.
import * as z from "zod";

const text = z.string();
const optionalText = text.optional();
const name = z.string().min(1);
const count = z.int().min(1);
const on = z.boolean().default(true);
const off = z.boolean().default(false);
const names = z.array(name).default([]);

const execSchema = z.object({
  enable: on.describe("The assistant may run commands"),
  timeout: z.int().min(0).default(60).describe("Time limit for a command, in seconds; 0 means no limit"),
  pathPrepend: text.default("").describe("Folders added to the beginning of PATH"),
  pathAppend: text.default("").describe("Folders added to the end of PATH"),
  sandbox: z
    .enum(["auto", "required", "off"])
    .default("auto")
    .describe("Run commands in a sandbox: where the system has one, or not at all without one, or never"),
  sandboxRoBinds: names.describe("Additional files and folders that sandboxed commands can read"),
  sandboxRwBinds: names.describe("Additional files and folders that sandboxed commands can change"),
  sandboxRuntime: text
    .default("")
    .describe("Container runtime that commands run in where the system has no other sandbox, such as podman"),
  sandboxImage: name.default("debian:stable").describe("Image for it, which has to be there"),
  allowedEnvKeys: names.describe("Environment variables that commands may see"),
  allow: names.describe("Commands that run without a question, such as `npm test` or `git push *`"),
  deny: names.describe("Commands that are always refused, by their first words, such as `git push`"),
  allowPatterns: names.describe("Regular expressions; if set, only matching commands may run"),
  denyPatterns: names.describe("Regular expressions; matching commands are always refused"),
});

export type ExecConfig = z.infer<typeof execSchema>;

const searchSchema = z.object({
  provider: name
    .default("duckduckgo")
    .describe("Search service: duckduckgo (no key needed), brave, tavily, searxng or bocha"),
  apiKey: text
    .default("")
    .describe(
      "API key of the search service. Default: the environment variable BRAVE_API_KEY, TAVILY_API_KEY or BOCHA_API_KEY",
    ),
  baseUrl: text
    .default("")
    .describe(
      "Address of the search service. Needed for SearXNG, here or in the environment variable SEARXNG_BASE_URL",
    ),
  maxResults: z.int().min(1).max(10).default(5).describe("Number of results per search"),
  timeout: z.number().positive().default(30).describe("Time limit for a search, in seconds"),
});

const fetchSchema = z.object({
  useJinaReader: off.describe("No effect: pages are converted to text on this computer"),
});

const webSchema = z.object({
  enable: on.describe("The assistant may use the web"),
  proxy: optionalText.describe("Proxy for the web tools. Default: the proxy of the environment"),
  userAgent: optionalText.describe("User agent of the web tools. Default: that of a common browser"),
  search: searchSchema.prefault({}).describe("Web search"),
  fetch: fetchSchema.prefault({}).describe("Reading web pages"),
});

const cliAppsSchema = z.object({
  enable: on.describe("The assistant may use installed command-line apps"),
  installTimeout: count.default(300).describe("Time limit for an installation, in seconds"),
  runTimeout: count.default(60).describe("Time limit for a run, in seconds"),
  catalogTtlSeconds: z.int().min(0).default(3600).describe("Seconds before the catalogue is loaded again"),
});

const imageGenerationSchema = z.object({
  enabled: off.describe("The assistant may make images"),
  provider: name
    .default("auto")
    .describe("Provider of the image model; `auto` is the first one with a key that makes images"),
  model: name.optional().describe("Image model. Default: the usual one of the provider"),
  defaultAspectRatio: name.default("1:1").describe("Default aspect ratio"),
  defaultImageSize: name.default("1K").describe("Default image size; only OpenRouter uses it"),
  maxImagesPerTurn: z.int().min(1).max(8).default(4).describe("Maximum number of images per turn"),
  saveDir: name.default("generated").describe("No effect: images are saved in the workspace"),
});

function isNetwork(text: string): boolean {
  return [z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()].some((form) => form.safeParse(text).success);
}

export const toolsSchema = z.object({
  restrictToWorkspace: on.describe(
    "Tools can use only files in the workspace. If off, the owner's private chats can use others, except the home",
  ),
  approval: z
    .enum(["ask", "auto", "off"])
    .default("ask")
    .describe("Risky actions: ask the owner, always refuse, or allow them in the owner's conversations"),
  ssrfWhitelist: z
    .array(z.string().refine(isNetwork, "config.bad-network"))
    .default([])
    .describe("Private networks (CIDR) that the web tools may access"),
  maxSessionMessagesPerMinute: z
    .int()
    .min(0)
    .default(6)
    .describe("Maximum messages per minute from one conversation to another"),
  webuiAllowLocalServiceAccess: on.describe("The browser UI may access local services"),
  webuiAllowRemotePackageInstall: off.describe("The browser UI may install packages"),
  exec: execSchema.prefault({}).describe("Commands"),
  web: webSchema.prefault({}).describe("Web"),
  file: z
    .object({ enable: on.describe("The assistant may work with files") })
    .prefault({})
    .describe("Files"),
  my: z
    .object({
      enable: on.describe("The assistant may read its own settings"),
      allowSet: off.describe("The assistant may change them"),
    })
    .prefault({})
    .describe("Reading its own settings"),
  cliApps: cliAppsSchema.prefault({}).describe("Command-line apps"),
  imageGeneration: imageGenerationSchema.prefault({}).describe("Images"),
});

export type ToolsConfig = z.infer<typeof toolsSchema>;
