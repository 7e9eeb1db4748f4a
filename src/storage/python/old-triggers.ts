// Triggers of the Python original, which scripts call by id: taken over once, each with a secret that it did not have there.
import { join } from "node:path";
import * as z from "zod";
import { createSecret } from "../../lib/network/token.ts";
import { readJsonFile } from "../files/json-file.ts";
import { TriggerFile } from "../jobs/trigger-file.ts";

const text = z.string().min(1);
const rowSchema = z.object({
  id: text,
  name: text,
  enabled: z.literal(true).default(true),
  channel: text,
  chatId: text,
  sessionKey: text,
});

/** Returns how many there were. */
export async function takeTriggers(workspace: string, path: string, now: number): Promise<number> {
  const file = await readJsonFile(join(workspace, "triggers", "triggers.json"));
  if (file.state !== "read" || !Array.isArray(file.value.triggers)) return 0;
  const triggers = new TriggerFile(path);
  let taken = 0;
  for (const row of file.value.triggers.slice(0, 200)) {
    const { data } = rowSchema.safeParse(row);
    if (data === undefined || (await triggers.find(data.id)) !== undefined) continue;
    const { enabled: _, ...known } = data;
    // Who spoke there is not known, so it has the rights of a guest, except at the terminal.
    const rest = { origin: {}, signature: "bearer", secret: createSecret(), createdAtMs: now } as const;
    if (await triggers.add({ ...known, ...rest })) taken += 1;
  }
  return taken;
}
