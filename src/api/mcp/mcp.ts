// Operations about MCP servers: which there are and how they fared, adding, removing and testing them.
import * as z from "zod";
import type { Problem } from "../../config/problem.ts";
import { fail } from "../../i18n/user-error.ts";
import { findNearest } from "../../lib/nearest.ts";
import { toPlainLine } from "../../lib/text.ts";
import { operation } from "../operation.ts";
import type { Surroundings } from "../services.ts";
import { type PastedServers, readPastedServers } from "./pasted-servers.ts";
import {
  type KnownServer,
  openToolCache,
  readServers,
  type ServerTest,
  testServers,
} from "./survey-servers.ts";

export interface AddedServers {
  added: string[];
  /** Keys that mean nothing here, as `server.key`. */
  ignored: string[];
  /** Why the config, with them, cannot be used as it is. */
  problems: Problem[];
}

const name = z.string().min(1).max(200);
const settings = z.record(z.string().max(200), z.unknown());
const longestPasted = 1_000_000;
const longestShown = 80;

const listServers = operation({
  name: "mcp.list",
  about: "The configured MCP servers as they were last seen. Starts nothing.",
  access: "owner",
  needs: "installation",
  params: z.strictObject({}),
  run: async ({ paths, loaded }): Promise<{ servers: KnownServer[] }> => ({
    servers: await readServers({ paths, loaded: loaded() }),
  }),
});

const addServers = operation({
  name: "mcp.add",
  about:
    "Adds MCP servers to the config: `servers` by name with their settings, or `pasted` text from another client, where one server without a name gets `name`. They are used when the gateway is started again.",
  access: "owner",
  needs: "installation",
  changes: ["config", "skills"],
  params: z
    .strictObject({
      servers: z.record(name, settings).optional(),
      pasted: z.string().max(longestPasted).optional(),
      name: name.optional(),
    })
    .refine(({ servers, pasted }) => (servers === undefined) !== (pasted === undefined)),
  async run({ loaded, saveConfig }, params): Promise<AddedServers> {
    const { servers, ignored } =
      params.servers !== undefined ? { servers: params.servers, ignored: [] } : await readPasted(params);
    const added = Object.keys(servers);
    const taken = added.find((each) => Object.hasOwn(loaded().config.tools.mcpServers, each));
    if (taken !== undefined) throw fail("mcp.exists", { name: toPlainLine(taken, longestShown) });
    return { added, ignored, problems: await saveConfig({ tools: { mcpServers: servers } }) };
  },
});

const removeServer = operation({
  name: "mcp.remove",
  about: "Removes an MCP server from the config, and what is known of it.",
  access: "owner",
  needs: "installation",
  changes: ["config", "skills"],
  params: z.strictObject({ name }),
  async run(services, { name: wanted }) {
    checkKnown(wanted, services);
    await services.saveConfig({ tools: { mcpServers: { [wanted]: null } } });
    await openToolCache(services.paths).remove(wanted);
    return { removed: wanted };
  },
});

const testServer = operation({
  name: "mcp.test",
  about: "Connects MCP servers now, or all of them, and lists what they offer or why they cannot be used.",
  access: "owner",
  needs: "installation",
  params: z.strictObject({ names: z.array(name).max(1_000).optional() }),
  async run(services, { names }, { signal }): Promise<{ tests: ServerTest[] }> {
    for (const wanted of names ?? []) checkKnown(wanted, services);
    const all = Object.keys(services.loaded().config.tools.mcpServers);
    return { tests: await testServers(names ?? all, services, signal) };
  },
});

export const mcpOperations = [listServers, addServers, removeServer, testServer] as const;

async function readPasted(params: { pasted?: string; name?: string }): Promise<PastedServers> {
  const read = await readPastedServers(params.pasted ?? "", params.name);
  if (read === undefined) throw fail("mcp.not-servers");
  return read;
}

function checkKnown(wanted: string, { loaded }: Surroundings): void {
  const names = Object.keys(loaded().config.tools.mcpServers);
  if (names.includes(wanted)) return;
  const nearest = findNearest(wanted, names);
  throw fail("mcp.unknown", {
    name: toPlainLine(wanted, longestShown),
    ...(nearest !== undefined && { nearest: toPlainLine(nearest, longestShown) }),
  });
}
