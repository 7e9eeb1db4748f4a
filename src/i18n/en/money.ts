// What is said about tokens and money, in English: `nanobot usage` and `/usage`.
export const englishMoney = {
  usage: {
    command: "what the models have taken: tokens and money",
    by: "one row for each of these (default: day)",
    since: "from this day on, such as 2026-08-01 or 7d (default: 30d)",
    csv: "as comma-separated values",
  },
  nothing: "Nothing was asked of any model in that time.",
  groups: { day: "Day", cause: "Cause", model: "Model", person: "Person", session: "Session" },
  columns: {
    calls: "Calls",
    fresh: "Read anew",
    cached: "From cache",
    output: "Written",
    cost: "Cost",
  },
  sum: "Together",
  unpriced: (count: number | string) =>
    `The price of ${count} of these calls is not known; add it to prices.json (docs/usage.md).`,
  badDay: (text: string) => `"${text}" is no day such as 2026-08-01, and no number of days such as 7d.`,
  today: "Today",
  month: "This month",
  line: (what: string, tokens: string, calls: number | string) =>
    `${what}: ${tokens} tokens, ${calls} ${Number(calls) === 1 ? "call" : "calls"}`,
  lineWithCost: (line: string, cost: string) => `${line}, ${cost}`,
  byCause: "This month by cause:",
  limit: (what: string, percent: number | string, limit: string) => `${what}: ${percent}% of ${limit}`,
  limits: "Limits:",
  tokens: (count: string) => `${count} tokens`,
};
