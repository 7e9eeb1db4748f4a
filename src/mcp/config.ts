// The config keys of MCP servers: `tools.mcpServers.<name>`.
import * as z from "zod";

const text = z.string();
const optionalText = text.optional();
const texts = z.record(text, text).default({});

export const mcpServerSchema = z.object({
  type: z
    .enum(["stdio", "sse", "streamableHttp", "http", "streamable-http"])
    .optional()
    .describe("How to reach the server; without it, told from `command` and `url`"),
  auth: z.literal("oauth").optional().describe("`oauth` is not supported: put a token into `headers`"),
  command: text.default("").describe("Program to start"),
  args: z.array(text).default([]).describe("Its arguments"),
  env: texts.describe("Its environment variables, in addition to a minimal set"),
  cwd: optionalText.describe("Folder to start it in; the workspace where none is given"),
  url: text.default("").describe("Address of a server that runs elsewhere"),
  headers: texts.describe("Headers of every request to it"),
  toolTimeout: z.number().positive().default(30).describe("Seconds that one call may take"),
  enabledTools: z
    .array(z.string())
    .default(["*"])
    .describe("Tools to offer; `*` for all, an empty list for none"),
  alwaysAllow: z
    .array(z.string())
    .default([])
    .describe("Tools that may be used without a question, also where nobody can be asked; `*` for all"),
  autoApprove: z.array(z.string()).default([]).describe("The same, as other programs call it"),
  disabled: z.boolean().default(false).describe("Keep it in the config, but do not use it"),
});

export type McpServerConfig = z.infer<typeof mcpServerSchema>;

export const mcpServersSchema = z.record(z.string(), mcpServerSchema);
