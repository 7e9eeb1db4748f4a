// Campaigns and properties have two forms: the sample that CI runs, and the full one of a quiet hour (FULL=1).

export const isFull = process.env.FULL === "1";

export function sampled<T>(sample: T, full: T): T {
  return isFull ? full : sample;
}

/** How often a property is tried, of so many times in full. */
export function cases(full: number): number {
  return sampled(Math.ceil(full / 3), full);
}

/** What a campaign has measured, for docs/durability.md. */
export function tellFigure(campaign: string, figures: object): void {
  const told = Object.entries(figures).map(([name, value]) => `${name} ${toShort(value)}`);
  process.stderr.write(`${campaign} (${isFull ? "full" : "sample"}): ${told.join(", ")}\n`);
}

function toShort(value: unknown): string {
  return typeof value === "number" ? String(Math.round(10 * value) / 10) : String(value);
}
