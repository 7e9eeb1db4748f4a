// Damage to every state file of a home, and whole starts of the program on it: none may be refused, nothing outside of the
// damaged bytes may be lost.
import { expect, it } from "vitest";
import { words } from "../support/english.ts";
import { sampled, tellFigure } from "../support/long-form.ts";
import {
  createMutatedHome,
  type Damage,
  type DamageKind,
  damageKinds,
  type MutatedHome,
} from "../support/mutated-home.ts";
import { nanobot } from "../support/run-program.ts";
import { seed } from "../support/seed.ts";
import { runProgram, startProgram } from "../support/start-program.ts";

const starts = Number(process.env.STARTS ?? sampled(60, 2_000));

/** So many on one home: the next ones find another home, and a figure is told after each of these. */
const startsOfHome = 100;
const homes = Array.from({ length: Math.ceil(starts / startsOfHome) }, (_, number) => ({
  number,
  count: Math.min(startsOfHome, starts - number * startsOfHome),
}));

it.each(homes)(
  "a home with one damaged file is opened in all of $count starts, and loses nothing else ($number)",
  async ({ number, count }) => {
    const home = await createMutatedHome();
    const random = createRandom(seed + number);
    const faults: string[] = [];
    const rounds = listRounds(home.files);
    for (let index = 0; index < count; index++) {
      const { file, kind } = rounds[Math.floor(random() * rounds.length)] ?? {
        file: "config.json",
        kind: "flip",
      };
      const damage = await home.damage(file, kind, random);
      const fault = index % 3 === 0 ? await serve(home) : await ask(home, damage);
      const lost = await home.findLost(damage);
      if (fault !== undefined) faults.push(`start ${index}: ${kind} of ${file}: ${fault}`);
      if (lost.length > 0) faults.push(`start ${index}: ${kind} of ${file}: lost ${lost.join(", ")}`);
    }
    tellFigure(`mutation ${number}`, { starts: count, files: home.files.length, faults: faults.length });
    expect(faults).toEqual([]);
  },
);

/** The database of what is in flight more often than others. */
function listRounds(files: readonly string[]): Array<{ file: string; kind: DamageKind }> {
  const weighted = files.flatMap((file) => (file === "state.db" ? Array<string>(8).fill(file) : [file]));
  return weighted.flatMap((file) => damageKinds.map((kind) => ({ file, kind })));
}

async function ask({ env }: MutatedHome, { file }: Damage): Promise<string | undefined> {
  const { code, stdout, stderr } = await runProgram(nanobot("agent", "-m", "hello"), { env });
  const said = `${code} ${stdout.slice(-200)} ${stderr.slice(-600)}`;
  if (/Something went wrong inside|\n\s+at .*:\d+:\d+/.test(stderr)) return said;
  // Another model or key may be in a config that is still valid.
  if (file.startsWith("config")) return undefined;
  return code === 0 && stdout.includes("An answer.") ? undefined : said;
}

async function serve({ env }: MutatedHome): Promise<string | undefined> {
  const program = startProgram(nanobot("gateway", "--port", "0"), { env });
  const outcome = await Promise.race([
    program.waitFor(words.gateway.stopHint).then(
      () => undefined,
      () => "ended",
    ),
    program.ended,
  ]);
  program.kill("SIGTERM");
  const { code, stderr } = await program.ended;
  const isWell = outcome === undefined && code === 0 && !/Something went wrong inside/.test(stderr);
  return isWell ? undefined : `gateway ${code} ${stderr.slice(-600)}`;
}

/** The same numbers for the same seed. */
function createRandom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
