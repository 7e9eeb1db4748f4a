// Figures as a person reads them, in the language of the page.
import { usePreferences } from "../app/preferences.tsx";
import type { Language } from "../words/index.ts";

function formatCount(count: number, language: Language): string {
  return new Intl.NumberFormat(language).format(Math.round(count));
}

/** `1.2M`, `120万`. */
export function formatShort(count: number, language: Language): string {
  const format = { notation: "compact", maximumSignificantDigits: 3 } as const;
  return new Intl.NumberFormat(language, format).format(count);
}

/** `12.40 USD`, with more digits where there is little of it. */
export function formatMoney(amount: number, currency: string, language: Language): string {
  const digits = amount === 0 || amount >= 0.01 ? 2 : 4;
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return `${new Intl.NumberFormat(language, format).format(amount)} ${currency}`;
}

function formatShare(share: number, language: Language): string {
  const maximumFractionDigits = share > 0 && share < 0.01 ? 1 : 0;
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits }).format(share);
}

/** The same, in the language that is spoken here. What has no known price is a dash. */
export function useNumbers() {
  const { language } = usePreferences();
  return {
    count: (count: number) => formatCount(count, language),
    short: (count: number) => formatShort(count, language),
    share: (share: number) => formatShare(share, language),
    money: (amount: number | undefined, currency: string) =>
      amount === undefined ? "–" : formatMoney(amount, currency, language),
  };
}
