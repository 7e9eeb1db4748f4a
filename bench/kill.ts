// Kills a gateway by -9 in the middle of its work, again and again: what is lost, doubled or bricked. [kills] [seed] [channel]
import { packagePath } from "../src/lib/package-root.ts";
import { campaignChannels } from "../test/support/campaign-platform.ts";
import { runKills } from "../test/support/kill-scene.ts";

export async function bench([
  kills = "300",
  seed = String(Date.now() % 1_000_000),
  wanted = "telegram",
]: string[]): Promise<void> {
  const channel = campaignChannels.find((each) => each === wanted);
  if (channel === undefined) throw new Error(`the channel is one of ${campaignChannels.join(", ")}`);
  console.log(`seed ${seed}, ${channel}`);
  const program = [process.execPath, packagePath("bin", "nanobot.mjs")];
  const tally = await runKills({ kills: Number(kills), seed: Number(seed), program, channel });
  for (const [name, value] of Object.entries(tally)) console.log(`${name} ${value}`);
}
