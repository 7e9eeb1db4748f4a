// The config keys of MCP servers: `tools.mcpServers.<name>`.
import * as z from "zod";

const text = z.string();
const optionalText = text.optional();
const texts = z.record(text, text).default({});

export const mcpServerSchema = z.object({
  type: z
    .enum(["stdio", "sse", "streamableHttp", "http", "streamable-http"])
    .optional()
    .describe("Transport. Default: derived from `command` or `url`"),
  auth: z
    .enum(["oauth", "clientCredentials"])
    .optional()
    .describe(
      "`oauth`: in a browser, as servers ask for by default; `clientCredentials`: as `clientId`, without a person",
    ),
  clientId: optionalText.describe(
    "Client that was registered with the server beforehand. Default: registered on sign-in",
  ),
  clientSecret: optionalText.describe("Its secret, if it has one"),
  clientKey: optionalText.describe("Its private key (PEM, PKCS8), in place of a secret"),
  clientKeyAlgorithm: text.default("ES256").describe("How the key signs"),
  clientMetadataUrl: optionalText.describe(
    "Public https address of a client metadata document, used as client id",
  ),
  scopes: z.array(text).default([]).describe("Rights to ask for. Default: those that the server names"),
  command: text.default("").describe("Program to start"),
  args: z.array(text).default([]).describe("Arguments of the program"),
  env: texts.describe("Environment variables of the program, in addition to a minimal set"),
  cwd: optionalText.describe("Folder to start the program in. Default: the workspace"),
  url: text.default("").describe("Address of a remote server"),
  headers: texts.describe("Headers added to every request"),
  toolTimeout: z.number().positive().default(30).describe("Time limit for one call, in seconds"),
  enabledTools: z
    .array(z.string())
    .default(["*"])
    .describe("Tools to use; `*` means all, an empty list means none"),
  alwaysAllow: z
    .array(z.string())
    .default([])
    .describe("Tools that may be used without a question, also where nobody can be asked; `*` for all"),
  autoApprove: z.array(z.string()).default([]).describe("The same, as other programs call it"),
  disabled: z.boolean().default(false).describe("Keep the server in the config, but do not use it"),
});

export type McpServerConfig = z.infer<typeof mcpServerSchema>;

export const mcpServersSchema = z.record(z.string(), mcpServerSchema);
