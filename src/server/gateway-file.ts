// run/gateway.json: where the gateway of a home is to be found, for other commands of the same person.
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { isRecord } from "../lib/is-record.ts";
import { ignoreMissing } from "../lib/plain-file.ts";
import type { GatewayAddress } from "./control.ts";

export async function writeGatewayFile(runFolder: string, address: GatewayAddress): Promise<void> {
  const text = `${JSON.stringify(address)}\n`;
  await writeFileAtomic(join(runFolder, "gateway.json"), text, { mode: 0o600, forceMode: true });
}

/** Only its own: another gateway may have begun meanwhile. */
export async function removeGatewayFile(runFolder: string, { pid }: GatewayAddress): Promise<void> {
  const known = await readGatewayFile(runFolder);
  if (known?.pid === pid) await rm(join(runFolder, "gateway.json"), { force: true });
}

export async function readGatewayFile(runFolder: string): Promise<GatewayAddress | undefined> {
  const text = await readFile(join(runFolder, "gateway.json"), "utf8").catch(ignoreMissing);
  try {
    const value: unknown = JSON.parse(text ?? "null");
    if (!isRecord(value)) return undefined;
    const { pid, url, token } = value;
    if (typeof pid !== "number" || typeof url !== "string" || typeof token !== "string") return undefined;
    return { pid, url, token };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The gateway of this home, if one answers. A file that a killed one left behind finds nobody. */
export async function findGateway(runFolder: string): Promise<GatewayAddress | undefined> {
  const address = await readGatewayFile(runFolder);
  if (address === undefined) return undefined;
  try {
    const response = await fetch(`${address.url}/health`, { signal: AbortSignal.timeout(2_000) });
    const { pid } = (await response.json()) as { pid?: number };
    return pid === address.pid ? address : undefined;
  } catch {
    // Nobody there, or somebody else: either way it is not our gateway.
    return undefined;
  }
}
