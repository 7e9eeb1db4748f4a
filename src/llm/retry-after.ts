// How long a host asks us to wait, in milliseconds and without any margin: from its headers or from its words.

const amount =
  /(\d{1,9}(?:\.\d{1,9})?)\s*(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)?(?![a-z])\s*/i;
// OpenAI: "Please try again in 1m12.5s." and "in 20ms."; Gemini: "Please retry in 34.07s." and "retryDelay": "34s"
const request = new RegExp(
  `(?:try again (?:in|after)|retry (?:in|after)|retrydelay"?:\\s*")\\s*((?:${amount.source}){1,4})`,
  "i",
);

/** Beyond it a figure means something else, such as a point in time or a fault. */
const longestMs = 7 * 24 * 3_600_000;

/** `now` is for a date. */
export function readRetryAfter(headers: Pick<Headers, "get">, text: string, now: number): number | undefined {
  const seconds = headers.get("retry-after");
  const wait =
    fromNumber(headers.get("retry-after-ms"), 1) ??
    fromNumber(seconds, 1000) ??
    fromDate(seconds, now) ??
    fromText(text);
  return wait !== undefined && wait <= longestMs ? wait : undefined;
}

function fromNumber(value: string | null, unit: number): number | undefined {
  return value === null || !/^\s*\d+(\.\d+)?\s*$/.test(value) ? undefined : Math.round(Number(value) * unit);
}

function fromDate(value: string | null, now: number): number | undefined {
  const date = Date.parse(value ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function fromText(text: string): number | undefined {
  const wait = request.exec(text.slice(0, 4000))?.[1];
  if (wait === undefined) return undefined;
  let ms = 0;
  for (const [, number, unit] of wait.matchAll(new RegExp(amount, "gi"))) ms += Number(number) * msOf(unit);
  return Math.round(ms);
}

function msOf(unit = "s"): number {
  if (/^(ms|milli)/i.test(unit)) return 1;
  if (/^m/i.test(unit)) return 60_000;
  return /^h/i.test(unit) ? 3_600_000 : 1000;
}
