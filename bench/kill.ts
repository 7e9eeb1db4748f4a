// Kills a gateway by -9 in the middle of its work, again and again: what is lost, doubled or bricked. [kills] [seed]
import { packagePath } from "../src/lib/package-root.ts";
import { runKills } from "../test/support/kill-scene.ts";

export async function bench([kills = "300", seed = String(Date.now() % 1_000_000)]: string[]): Promise<void> {
  console.log(`seed ${seed}`);
  const program = [process.execPath, packagePath("bin", "nanobot.mjs")];
  const tally = await runKills({ kills: Number(kills), seed: Number(seed), program });
  for (const [name, value] of Object.entries(tally)) console.log(`${name} ${value}`);
}
