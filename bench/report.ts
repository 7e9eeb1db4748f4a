// How a benchmark speaks: one figure a line, `name value unit (ratio to baseline)`, and the statistics behind it.

export interface Figure {
  /** One word, such as `agent-message`. */
  name: string;
  value: number;
  unit: string;
  /** A value in the same unit, measured in the same run. */
  baseline?: number;
}

export function formatFigure({ name, value, unit, baseline }: Figure): string {
  const ratio = baseline === undefined ? "" : ` (${(value / baseline).toFixed(2)})`;
  return `${name} ${toShort(value)} ${unit}${ratio}`;
}

export function printFigure(figure: Figure): void {
  console.log(formatFigure(figure));
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Between two values it is the point between them, so that the median of 1 and 2 is 1.5. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = ((sorted.length - 1) * percent) / 100;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) throw new Error("a percentile needs at least one value");
  return below + (above - below) * (position - Math.floor(position));
}

/** Three figures that mean something: 0.0123, 1.23, 12.3, 123, 12345. */
function toShort(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}
