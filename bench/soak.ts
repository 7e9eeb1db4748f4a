// Soak: turns by the thousand in a gateway process, over many chats: growth of memory and handles. [turns]
// In the first fifth the engine compiles what is used, and finds the size of its spaces: growth counts from there. What is
// held under load is usually garbage that the engine has not looked for yet; "at rest" is what stays when nobody speaks.
import { packagePath } from "../src/lib/package-root.ts";
import { runSoak, type SoakSample, toGrowth } from "../test/support/soak-scene.ts";
import { printFigure } from "./report.ts";

const chats = 40;
/** Every so many turns one line, for who waits. */
const linesAtAll = 20;

export async function bench([count = "20000"]: string[]): Promise<void> {
  const turns = Number(count);
  const warm = turns / 5;
  const program = [process.execPath, packagePath("bin", "nanobot.mjs")];
  let told = 0;
  const { samples, rests } = await runSoak({
    program,
    chats,
    restAfter: warm,
    isOver: (sample) => sample.turns >= turns,
    onSample({ turns: done, rss }) {
      if (done < told) return;
      told += turns / linesAtAll;
      console.error(`${done} turns, ${Math.round(rss)} MB`);
    },
  });
  print(samples, (sample) => sample.turns >= warm);
  const [before, after] = rests;
  if (before === undefined || after === undefined) return;
  printFigure({ name: "rss-at-rest-before", value: before.rss, unit: "MB" });
  printFigure({ name: "rss-at-rest", value: after.rss, unit: "MB", baseline: before.rss });
  printFigure({ name: "rss-at-rest-growth", value: 100 * (after.rss / before.rss - 1), unit: "%" });
}

function print(samples: readonly SoakSample[], isWarm: (sample: SoakSample) => boolean): void {
  const [before, after] = [samples.find(isWarm), samples.at(-1)];
  if (before === undefined || after === undefined) throw new Error("it ended before it was warm");
  printFigure({ name: "rss-before", value: before.rss, unit: "MB" });
  printFigure({ name: "rss", value: after.rss, unit: "MB", baseline: before.rss });
  printFigure({ name: "rss-growth", value: 100 * (after.rss / before.rss - 1), unit: "%" });
  printFigure({ name: "rss-highest-growth", value: toGrowth(samples, isWarm), unit: "%" });
  printFigure({ name: "open-descriptors-before", value: before.descriptors, unit: "handles" });
  printFigure({ name: "open-descriptors", value: after.descriptors, unit: "handles" });
  printFigure({ name: "turn", value: (1_000 * after.seconds) / after.turns, unit: "ms" });
}
