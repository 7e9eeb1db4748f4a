// Numbers, money and times in the language of the page.
import { useEffect, useState } from "react";
import { usePreferences, useWords } from "../app/preferences.tsx";
import type { Language } from "../words/index.ts";

const dateFormats = new Map<string, Intl.DateTimeFormat>();
const numberFormats = new Map<string, Intl.NumberFormat>();

/** Making one takes longer than rendering a message, so each is made once. */
export function dateFormat(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language + JSON.stringify(options);
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(language, options);
  dateFormats.set(key, format);
  return format;
}

export function numberFormat(language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = language + JSON.stringify(options);
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(language, options);
  numberFormats.set(key, format);
  return format;
}

const relativeFormats: Record<Language, Intl.RelativeTimeFormat> = {
  en: new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" }),
  "zh-CN": new Intl.RelativeTimeFormat("zh-CN", { numeric: "auto", style: "short" }),
};

function formatCount(count: number, language: Language): string {
  return numberFormat(language, {}).format(Math.round(count));
}

/** `1.2M`, `120万`. */
export function formatShort(count: number, language: Language): string {
  const format = { notation: "compact", maximumSignificantDigits: 3 } as const;
  return numberFormat(language, format).format(count);
}

/** `12.40 USD`, with more digits for small amounts. */
export function formatMoney(amount: number, currency: string, language: Language): string {
  const digits = amount === 0 || amount >= 0.01 ? 2 : 4;
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return `${numberFormat(language, format).format(amount)} ${currency}`;
}

function formatShare(share: number, language: Language): string {
  const maximumFractionDigits = share > 0 && share < 0.01 ? 1 : 0;
  return numberFormat(language, { style: "percent", maximumFractionDigits }).format(share);
}

/** Formatters in the language of the page. An unknown price is a dash. */
export function useNumbers() {
  const { language } = usePreferences();
  const { unknown } = useWords().shell;
  return {
    count: (count: number) => formatCount(count, language),
    short: (count: number) => formatShort(count, language),
    share: (share: number) => formatShare(share, language),
    money: (amount: number | undefined, currency: string) =>
      amount === undefined ? unknown : formatMoney(amount, currency, language),
  };
}

const units: Array<[Intl.RelativeTimeFormatUnit, number]> = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** "5 minutes ago", "in 2 hours"; from a day on by the calendar, from a week on a date. */
function formatRelative(at: number, now: number, language: Language): string {
  const distance = at - now;
  if (Math.abs(distance) >= 7 * 86_400_000) return formatDate(at, now, language);
  const [unit, ms] = units.find(([, size]) => Math.abs(distance) >= size) ?? ["minute", 60_000];
  const format = relativeFormats[language];
  if (Math.abs(distance) < 60_000) return format.format(0, "second");
  const count = unit === "day" ? Math.round((toMidnight(at) - toMidnight(now)) / ms) : distance / ms;
  return format.format(Math.trunc(count), unit);
}

const toMidnight = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

function formatDate(at: number, now: number, language: Language): string {
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return dateFormat(language, {
    month: "short",
    day: "numeric",
    ...(!isThisYear && { year: "numeric" }),
  }).format(at);
}

function formatExact(at: number, language: Language): string {
  return dateFormat(language, { dateStyle: "medium", timeStyle: "medium" }).format(at);
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

export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
