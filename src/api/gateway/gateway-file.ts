// run/gateway.json: the address of a home's gateway, for other commands of the same person.
import { join } from "node:path";
import { removeFile, writeFileAtomic } from "../../storage/files/change-files.ts";
import { readJsonFile } from "../../storage/files/json-file.ts";
import type { GatewayAddress } from "../client.ts";

export async function writeGatewayFile(runFolder: string, address: GatewayAddress): Promise<void> {
  const text = `${JSON.stringify(address)}\n`;
  await writeFileAtomic(join(runFolder, "gateway.json"), text, { mode: 0o600, forceMode: true });
}

/** Only its own: another gateway may have begun meanwhile. */
export async function removeGatewayFile(runFolder: string, { pid }: GatewayAddress): Promise<void> {
  const known = await readGatewayFile(runFolder);
  if (known?.pid === pid) await removeFile(join(runFolder, "gateway.json"));
}

async function readGatewayFile(runFolder: string): Promise<GatewayAddress | undefined> {
  const file = await readJsonFile(join(runFolder, "gateway.json"));
  if (file.state !== "read") return undefined;
  const { pid, url, token } = file.value;
  const isAddress = typeof pid === "number" && typeof token === "string" && URL.canParse(String(url));
  return isAddress ? { pid, url: String(url), token } : undefined;
}

/** A dead gateway refuses at once; one that is busy answers late, and must not be taken for dead. */
const healthMs = 30_000;

/** The gateway of this home, if one answers. A file that a killed one left behind finds none. */
export async function findGateway(runFolder: string): Promise<GatewayAddress | undefined> {
  const address = await readGatewayFile(runFolder);
  if (address === undefined) return undefined;
  try {
    const response = await fetch(`${address.url}/health`, { signal: AbortSignal.timeout(healthMs) });
    const { pid } = (await response.json()) as { pid?: number };
    return pid === address.pid ? address : undefined;
  } catch {
    // Nothing there, or another program: either way it is not our gateway.
    return undefined;
  }
}
