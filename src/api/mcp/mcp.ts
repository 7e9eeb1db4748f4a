// Operations about MCP servers: list with what was last seen, add, remove and test.
import * as z from "zod";
import type { Problem } from "../../config/problem.ts";
import { fail } from "../../i18n/user-error.ts";
import { findNearest } from "../../lib/language/nearest.ts";
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
  async run(services): Promise<{ servers: Array<KnownServer & { isSignedIn?: boolean }> }> {
    const { paths, loaded } = services;
    const { mcpServers } = loaded().config.tools;
    const servers = await readServers({ paths, loaded: loaded() });
    const { knowSignIn } = await loadSignIn();
    return {
      servers: await Promise.all(
        servers.map(async (server) => {
          const config = mcpServers[server.name];
          const isSignedIn = config && (await knowSignIn(server.name, config, services));
          return { ...server, ...(isSignedIn !== undefined && { isSignedIn }) };
        }),
      ),
    };
  },
});

const addServers = operation({
  name: "mcp.add",
  about:
    "Adds MCP servers to the config: `servers` by name with their settings, or `pasted` text from another client, where one server without a name gets `name`, or a `preset` (browser, files, github, notion, google, home-assistant). They are used when the gateway is started again.",
  access: "owner",
  needs: "installation",
  changes: ["config", "skills"],
  params: z
    .strictObject({
      servers: z.record(name, settings).optional(),
      pasted: z.string().max(longestPasted).optional(),
      preset: name.optional(),
      name: name.optional(),
    })
    .refine(({ servers, pasted, preset }) => [servers, pasted, preset].filter(Boolean).length === 1),
  async run(services, params): Promise<AddedServers> {
    const { loaded, saveConfig } = services;
    const { servers, ignored } =
      params.servers !== undefined
        ? { servers: params.servers, ignored: [] }
        : params.preset !== undefined
          ? await readPreset(params.preset, params.name, services)
          : await readPasted(params);
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
    const server = services.loaded().config.tools.mcpServers[wanted];
    await services.saveConfig({ tools: { mcpServers: { [wanted]: null } } });
    await openToolCache(services.paths).remove(wanted);
    await (await loadSignIn()).forget(wanted, server, services);
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

const address = z.url({ protocol: /^https?$/ }).max(10_000);

const login = operation({
  name: "mcp.login",
  about:
    "Begins to sign in to an MCP server: the page to open in a browser, which then goes to `redirectUrl`; hand the address that it ends at to `mcp.finish-login`. No page where the server is used as a client, without a person.",
  access: "owner",
  needs: "installation",
  changes: ["skills"],
  params: z.strictObject({ name, redirectUrl: address }),
  async run(services, { name: wanted, redirectUrl }, { signal }) {
    checkKnown(wanted, services);
    const page = await (await loadSignIn()).begin(wanted, redirectUrl, services, signal);
    return { name: wanted, ...(page !== undefined && { address: page }) };
  },
});

const finishLogin = operation({
  name: "mcp.finish-login",
  about: "Finishes a sign-in with the address that the browser was sent to. The server is usable at once.",
  access: "owner",
  needs: "installation",
  changes: ["skills"],
  params: z.strictObject({ address }),
  async run(services, { address: ended }, { signal }) {
    return { name: await (await loadSignIn()).finish(ended, services, signal) };
  },
});

const logout = operation({
  name: "mcp.logout",
  about: "Forgets the tokens of an MCP server, and the client that was registered with it.",
  access: "owner",
  needs: "installation",
  changes: ["skills"],
  params: z.strictObject({ name }),
  async run(services, { name: wanted }) {
    checkKnown(wanted, services);
    const server = services.loaded().config.tools.mcpServers[wanted];
    return { wasSignedIn: await (await loadSignIn()).forget(wanted, server, services) };
  },
});

export const mcpOperations = [
  listServers,
  addServers,
  removeServer,
  testServer,
  login,
  finishLogin,
  logout,
] as const;

function loadSignIn() {
  return import("./server-sign-in.ts");
}

async function readPasted(params: { pasted?: string; name?: string }): Promise<PastedServers> {
  const read = await readPastedServers(params.pasted ?? "", params.name);
  if (read === undefined) throw fail("mcp.not-servers");
  return read;
}

async function readPreset(
  wanted: string,
  called: string = wanted,
  { workspace, env }: Surroundings,
): Promise<PastedServers> {
  const { presets } = await import("../../mcp/presets.ts");
  const preset = Object.hasOwn(presets, wanted) ? presets[wanted] : undefined;
  const known = Object.keys(presets).join(", ");
  if (preset === undefined)
    throw fail("mcp.unknown-preset", { name: toPlainLine(wanted, longestShown), known });
  const missing = preset.needs.filter((variable) => !env[variable]);
  if (missing.length > 0) throw fail("mcp.preset-needs", { name: wanted, variables: missing.join(", ") });
  return { servers: { [called]: preset.toServer({ workspace, env }) }, ignored: [] } as PastedServers;
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
