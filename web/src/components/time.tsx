// A moment: in words how long ago, and exactly under the pointer.
import { useEffect, useState } from "react";
import { usePreferences } from "../app/preferences.tsx";
import type { Language } from "../words/index.ts";

const units: Array<[Intl.RelativeTimeFormatUnit, number]> = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** "5 minutes ago", "in 2 hours"; a date where a week lies between. */
export function formatRelative(at: number, now: number, language: Language): string {
  const distance = at - now;
  if (Math.abs(distance) >= 7 * 86_400_000) return formatDate(at, now, language);
  const [unit, ms] = units.find(([, size]) => Math.abs(distance) >= size) ?? ["minute", 60_000];
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
  return Math.abs(distance) < 60_000
    ? format.format(0, "second")
    : format.format(Math.trunc(distance / ms), unit);
}

function formatDate(at: number, now: number, language: Language): string {
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(language, {
    month: "short",
    day: "numeric",
    ...(!isThisYear && { year: "numeric" }),
  }).format(at);
}

export function formatExact(at: number, language: Language): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" }).format(at);
}

export function Time({ at, className }: { at: number; className?: string }) {
  const { language } = usePreferences();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={new Date(at).toISOString()} title={formatExact(at, language)} className={className}>
      {formatRelative(at, Math.max(now, Math.min(at, now + 60_000)), language)}
    </time>
  );
}
