// Faults of all kinds to the workers of a home and to its database: what is lost, doubled or bricked. [faults] [workers] [seed] [lease ms]
import { packagePath } from "../src/lib/package-root.ts";
import { runClusterFaults } from "../test/support/cluster-scene.ts";

export async function bench(argv: string[]): Promise<void> {
  const [faults = "200", workers = "3", seed = String(Date.now() % 1_000_000), leaseMs = "3000"] = argv;
  console.log(`seed ${seed}`);
  const program = [process.execPath, packagePath("bin", "nanobot.mjs")];
  const tally = await runClusterFaults({
    ...{ faults: Number(faults), workers: Number(workers), seed: Number(seed), program },
    leaseMs: Number(leaseMs),
  });
  for (const [name, value] of Object.entries(tally)) console.log(`${name} ${JSON.stringify(value)}`);
}
