// Model servers that run on this machine: asked on their usual ports which models they have.
import type { Host } from "../../llm/hosts/host.ts";

export interface LocalServer {
  host: Host;
  models: string[];
}

const usualPatienceMs = 800;
const mostModels = 200;
const longestName = 200;

/** Those that answer, each with at least one model. */
export async function findLocalServers(
  hosts: readonly Host[],
  signal: AbortSignal,
  patienceMs = usualPatienceMs,
): Promise<LocalServer[]> {
  const local = hosts.filter(({ kind, baseUrl }) => kind === "local" && baseUrl !== undefined);
  const servers = await Promise.all(
    local.map(async (host) => ({ host, models: await listModels(host, signal, patienceMs) })),
  );
  signal.throwIfAborted();
  return servers.filter(({ models }) => models.length > 0);
}

async function listModels({ baseUrl }: Host, signal: AbortSignal, patienceMs: number): Promise<string[]> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  try {
    const response = await fetch(`${baseUrl}/models`, { signal: limit });
    return response.ok ? readNames(await response.json()) : [];
  } catch (error) {
    // No server, another server, or a timeout: fetch and its JSON throw nothing else.
    if (error instanceof TypeError || error instanceof SyntaxError || error instanceof DOMException)
      return [];
    throw error;
  }
}

function readNames(body: unknown): string[] {
  const { data } = (body ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) return [];
  const names = data.map((entry: { id?: unknown } | null) => entry?.id);
  return names
    .filter((name): name is string => typeof name === "string" && name !== "" && name.length <= longestName)
    .slice(0, mostModels);
}
