// Counters and histograms of a process, as text for Prometheus and as data for OpenTelemetry. Knows no turns; labels hold codes,
// never what a person wrote.
export type Labels = Record<string, string>;

/** One value at the moment of the question. */
export interface Gauge {
  name: string;
  help: string;
  value: number;
  labels?: Labels;
  /** It only grows, as counters do. */
  isCounter?: boolean;
}

interface Series {
  labels: Labels;
  value: number;
  /** Of a histogram: how many were at most as large as each bound. */
  buckets?: number[];
  count: number;
}

interface Family {
  help: string;
  isHistogram: boolean;
  series: Map<string, Series>;
}

/** Seconds. */
const bounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
/** Whatever names a tool or a code may have. */
const mostSeries = 200;
const beyond = "other";

export class Metrics {
  readonly #families = new Map<string, Family>();

  count(name: string, help: string, labels: Labels = {}, by = 1): void {
    this.#find({ name, help, isHistogram: false }, labels).value += by;
  }

  observe(name: string, help: string, seconds: number, labels: Labels = {}): void {
    const series = this.#find({ name, help, isHistogram: true }, labels);
    series.value += seconds;
    series.count += 1;
    series.buckets ??= bounds.map(() => 0);
    for (const [at, bound] of bounds.entries())
      if (seconds <= bound) series.buckets[at] = (series.buckets[at] ?? 0) + 1;
  }

  #find(
    { name, help, isHistogram }: { name: string; help: string; isHistogram: boolean },
    labels: Labels,
  ): Series {
    const family = this.#families.get(name) ?? { help, isHistogram, series: new Map<string, Series>() };
    this.#families.set(name, family);
    const isFull = family.series.size >= mostSeries && !family.series.has(toText(labels));
    const used = isFull ? Object.fromEntries(Object.keys(labels).map((key) => [key, beyond])) : labels;
    const key = toText(used);
    const series = family.series.get(key) ?? { labels: used, value: 0, count: 0 };
    family.series.set(key, series);
    return series;
  }

  /** The text format of Prometheus, version 0.0.4. */
  toPrometheus(gauges: readonly Gauge[] = []): string {
    const lines: string[] = [];
    for (const [name, { help, isHistogram, series }] of this.#families) {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${isHistogram ? "histogram" : "counter"}`);
      for (const each of series.values()) lines.push(...toLines(name, each));
    }
    const described = new Set<string>();
    for (const { name, help, value, labels = {}, isCounter = false } of gauges) {
      if (!described.has(name))
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${isCounter ? "counter" : "gauge"}`);
      described.add(name);
      lines.push(`${name}${toText(labels)} ${value}`);
    }
    return `${lines.join("\n")}\n`;
  }

  /** The metrics of one resource, as OTLP/HTTP takes them. */
  toOtlp(gauges: readonly Gauge[], at: { from: string; now: string }): object[] {
    const time = { startTimeUnixNano: at.from, timeUnixNano: at.now };
    const families = [...this.#families].map(([name, { help, isHistogram, series }]) => {
      const dataPoints = [...series.values()].map((each) => toPoint(each, time));
      const data = { dataPoints, aggregationTemporality: 2 };
      const kind = isHistogram ? { histogram: data } : { sum: { ...data, isMonotonic: true } };
      return { name, description: help, ...kind };
    });
    const others = gauges.map(({ name, help, value, labels = {}, isCounter = false }) => {
      const dataPoints = [{ ...time, asDouble: value, attributes: toAttributes(labels) }];
      const sum = { dataPoints, aggregationTemporality: 2, isMonotonic: true };
      return { name, description: help, ...(isCounter ? { sum } : { gauge: { dataPoints } }) };
    });
    return [...families, ...others];
  }
}

function toLines(name: string, { labels, value, buckets, count }: Series): string[] {
  if (buckets === undefined) return [`${name}${toText(labels)} ${value}`];
  return [
    ...bounds.map((bound, at) => `${name}_bucket${toText({ ...labels, le: `${bound}` })} ${buckets[at]}`),
    `${name}_bucket${toText({ ...labels, le: "+Inf" })} ${count}`,
    `${name}_sum${toText(labels)} ${value}`,
    `${name}_count${toText(labels)} ${count}`,
  ];
}

function toPoint({ labels, value, buckets, count }: Series, time: object): object {
  const attributes = toAttributes(labels);
  if (buckets === undefined) return { ...time, asDouble: value, attributes };
  const counts = [...buckets, count].map((upTo, at, all) => String(upTo - (all[at - 1] ?? 0)));
  return {
    ...time,
    count: String(count),
    sum: value,
    explicitBounds: bounds,
    bucketCounts: counts,
    attributes,
  };
}

function toText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${toQuoted(value)}"`);
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}

function toQuoted(value: string): string {
  return value.slice(0, 100).replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

export function toAttributes(values: Record<string, string | number | undefined>): object[] {
  return Object.entries(values).flatMap(([key, value]): object[] => {
    if (value === undefined) return [];
    if (typeof value === "string") return [{ key, value: { stringValue: value } }];
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }];
  });
}
