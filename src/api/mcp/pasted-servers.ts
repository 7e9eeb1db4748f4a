// MCP servers as other clients write them down, made ours: `{"mcpServers": {...}}`, a map of servers, one server alone, or
// a piece cut out of such a file. Reads nothing and checks no more than the shape.
import { isRecord } from "../../lib/is-record.ts";
import { type JsonObject, parseJson, setOwn } from "../../lib/json-tree.ts";

export interface PastedServers {
  servers: Record<string, JsonObject>;
  /** Keys that mean nothing here, as `server.key`. */
  ignored: string[];
}

/** Our key for what each client calls it. */
const ownKeys: Record<string, string> = {
  command: "command",
  args: "args",
  env: "env",
  environment: "env",
  cwd: "cwd",
  url: "url",
  serverUrl: "url",
  httpUrl: "url",
  headers: "headers",
  http_headers: "headers",
  type: "type",
  transport: "type",
  auth: "auth",
  toolTimeout: "toolTimeout",
  tool_timeout: "toolTimeout",
  enabledTools: "enabledTools",
  enabled_tools: "enabledTools",
  disabled: "disabled",
};

const ownTypes: Record<string, string> = {
  stdio: "stdio",
  local: "stdio",
  sse: "sse",
  http: "streamableHttp",
  remote: "streamableHttp",
  streamablehttp: "streamableHttp",
};

/** Undefined if it is not a server. `name` is for one server that comes without. */
export async function readPastedServers(text: string, name?: string): Promise<PastedServers | undefined> {
  const value = await parse(text);
  const found = isRecord(value) ? findServers(value, name) : undefined;
  if (found === undefined || Object.keys(found).length === 0) return undefined;
  const pasted: PastedServers = { servers: {}, ignored: [] };
  for (const [server, entry] of Object.entries(found)) {
    if (!isRecord(entry) || !isServer(entry)) return undefined;
    setOwn(pasted.servers, server, translate(server, entry, pasted.ignored));
  }
  return pasted;
}

/** Comments, trailing commas and missing outer braces are forgiven. */
async function parse(text: string): Promise<unknown> {
  const parsed = parseJson(text) ?? parseJson(`{${text}}`);
  if (parsed !== undefined) return parsed;
  const { jsonrepair, JSONRepairError } = await import("jsonrepair");
  try {
    return parseJson(jsonrepair(text));
  } catch (error) {
    if (error instanceof JSONRepairError) return undefined;
    throw error;
  }
}

function findServers(value: JsonObject, name: string | undefined): JsonObject | undefined {
  const inner = value.mcpServers ?? value.servers ?? (isRecord(value.mcp) ? value.mcp.servers : undefined);
  if (isRecord(inner)) return inner;
  if (!isServer(value)) return value;
  return name === undefined ? undefined : { [name]: value };
}

function isServer(entry: JsonObject): boolean {
  return ["command", "url", "serverUrl", "httpUrl"].some(
    (key) => typeof entry[key] === "string" || Array.isArray(entry[key]),
  );
}

function translate(server: string, entry: JsonObject, ignored: string[]): JsonObject {
  const block: JsonObject = {};
  for (const [key, value] of Object.entries(entry)) {
    const known = Object.hasOwn(ownKeys, key) ? ownKeys[key] : undefined;
    if (known === undefined) ignored.push(`${server}.${key}`);
    else block[known] = withOwnReferences(known === "type" ? toOwnType(value) : value);
  }
  const { command, args } = block;
  if (!Array.isArray(command)) return block;
  return {
    ...block,
    command: String(command[0]),
    args: [...command.slice(1), ...(Array.isArray(args) ? args : [])],
  };
}

function toOwnType(type: unknown): unknown {
  const plain = typeof type === "string" ? type.toLowerCase().replaceAll(/[-_]/g, "") : "";
  return ownTypes[plain] ?? type;
}

/** `${env:TOKEN}` and `${input:token}` are a variable of the environment here. Numbers and truths become text. */
function withOwnReferences(value: unknown): unknown {
  if (typeof value === "string") {
    return value.replaceAll(/\$\{(?:env|input):([^}]+)\}/g, (_, name: string) => {
      return `\${${name.replaceAll(/\W/g, "_").toUpperCase()}}`;
    });
  }
  if (Array.isArray(value)) return value.map((item) => withOwnReferences(toText(item)));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withOwnReferences(toText(item))]),
  );
}

function toText(item: unknown): unknown {
  return typeof item === "number" || typeof item === "boolean" ? String(item) : item;
}
