// The seed of everything random in tests: one fixed number, so that a run is the same on every machine. For a campaign
// SEED=random takes another one each time, and SEED=<number> repeats it.

const usual = 20_260_101;

export const seed = readSeed(process.env.SEED);

function readSeed(text: string | undefined): number {
  if (text === undefined || text === "") return usual;
  if (text === "random") return Math.floor(Math.random() * 2 ** 31);
  const number = Number(text);
  if (!Number.isInteger(number)) throw new Error(`SEED is "random" or a whole number, not ${text}`);
  return number;
}
