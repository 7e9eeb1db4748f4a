// The search services, one row each: how a query is asked there, and where the answer has its results. Rows only; who
// sends the request, and what is said about failures, is web-search.ts.
import { isRecord } from "../../lib/is-record.ts";
import { getIn, parseJson } from "../../lib/json-tree.ts";
import { toBareText } from "./page-text.ts";

export interface SearchQuery {
  query: string;
  count: number;
  range?: TimeRange;
}

export type TimeRange = "day" | "week" | "month" | "year" | { from: string; to: string };

export interface SearchHit {
  title: string;
  url: string;
  snippet: string;
  date?: string;
}

export interface SearchRequest {
  /** Beyond the service's address. */
  path: string;
  method?: "POST";
  headers?: Record<string, string>;
  body?: string;
}

export interface SearchProvider {
  /** For people. */
  title: string;
  /** Absent: everyone runs their own. */
  baseUrl?: string;
  /** The environment variable of its key; absent where none is needed. */
  keyVariable?: string;
  /** The environment variable of its address. */
  baseVariable?: string;
  canTakeDates: boolean;
  /** What to do when it refuses us. Default: check the key, if it has one. */
  refusal?: string;
  toRequest(query: SearchQuery, key: string): SearchRequest;
  /** Undefined when this is not an answer to a search. */
  readHits(text: string): SearchHit[] | undefined;
}

export const searchProviders: Record<string, SearchProvider> = {
  duckduckgo: {
    title: "DuckDuckGo",
    baseUrl: "https://html.duckduckgo.com",
    canTakeDates: true,
    toRequest: ({ query, range }) => ({
      path: "/html/",
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: toQuery({ q: query, df: typeof range === "string" ? range.charAt(0) : toSpan(range, "..") }),
    }),
    readHits: readDuckDuckGo,
  },
  brave: {
    title: "Brave",
    baseUrl: "https://api.search.brave.com",
    keyVariable: "BRAVE_API_KEY",
    canTakeDates: true,
    toRequest: ({ query, count, range }, key) => ({
      path: `/res/v1/web/search?${toQuery({
        q: query,
        count: String(count),
        freshness: typeof range === "string" ? `p${range.charAt(0)}` : toSpan(range, "to"),
      })}`,
      headers: { "x-subscription-token": key },
    }),
    readHits: (text) =>
      readJson(text, ["web", "results"], { snippet: "description", date: "age" }) ??
      // Nothing was found: the section is missing.
      readJson(text, ["query"], {}),
  },
  tavily: {
    title: "Tavily",
    baseUrl: "https://api.tavily.com",
    keyVariable: "TAVILY_API_KEY",
    canTakeDates: true,
    toRequest: ({ query, count, range }, key) => ({
      path: "/search",
      ...toJsonPost(key, {
        query,
        max_results: count,
        ...(typeof range === "string"
          ? { time_range: range }
          : range && { start_date: range.from, end_date: range.to }),
      }),
    }),
    readHits: (text) => readJson(text, ["results"], { snippet: "content", date: "published_date" }),
  },
  searxng: {
    title: "SearXNG",
    baseVariable: "SEARXNG_BASE_URL",
    canTakeDates: false,
    // Its answer to a format that it was not set up for.
    refusal: "The owner should check that its settings.yml has json among search.formats.",
    toRequest: ({ query, range }) => ({
      path: `/search?${toQuery({ q: query, format: "json", time_range: typeof range === "string" ? range : undefined })}`,
    }),
    readHits: (text) => readJson(text, ["results"], { snippet: "content", date: "publishedDate" }),
  },
  bocha: {
    title: "Bocha",
    baseUrl: "https://api.bochaai.com",
    keyVariable: "BOCHA_API_KEY",
    canTakeDates: true,
    toRequest: ({ query, count, range }, key) => ({
      path: "/v1/web-search",
      ...toJsonPost(key, {
        query,
        count,
        summary: true,
        freshness:
          typeof range === "string"
            ? `one${range.charAt(0).toUpperCase()}${range.slice(1)}`
            : (toSpan(range, "..") ?? "noLimit"),
      }),
    }),
    readHits: (text) =>
      readJson(text, ["data", "webPages", "value"], {
        title: "name",
        snippet: "summary",
        other: "snippet",
        date: "datePublished",
      }),
  },
};

function toQuery(fields: Record<string, string | undefined>): string {
  const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given).toString();
}

function toSpan(range: Exclude<TimeRange, string> | undefined, separator: string): string | undefined {
  return range && `${range.from}${separator}${range.to}`;
}

function toJsonPost(key: string, body: object): Omit<SearchRequest, "path"> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(body) };
}

interface FieldNames {
  title?: string;
  snippet?: string;
  /** Where the snippet is empty. */
  other?: string;
  date?: string;
}

function readJson(text: string, path: string[], names: FieldNames): SearchHit[] | undefined {
  const rows = getIn(parseJson(text), path);
  if (!Array.isArray(rows)) return isRecord(rows) ? [] : undefined;
  const { title = "title", snippet = "snippet", other = snippet, date = "date" } = names;
  return rows.filter(isRecord).map((row) => ({
    title: toPlain(row[title]),
    url: String(row.url ?? ""),
    snippet: toPlain(row[snippet] || row[other]),
    date: toPlain(row[date]),
  }));
}

/** Services mark the words that were found with tags. */
function toPlain(value: unknown): string {
  return typeof value === "string" ? toBareText(value) : "";
}

/** A page that asks whether a person is there has neither results nor the word that there are none. */
function readDuckDuckGo(html: string): SearchHit[] | undefined {
  const [start = "", ...blocks] = html.split(/class="result results_links/);
  if (blocks.length === 0) return /no-results|No results/.test(start) ? [] : undefined;
  return blocks.filter((block) => !/^[^">]{0,200}result--ad/.test(block)).map(readBlock);
}

function readBlock(block: string): SearchHit {
  const link = /<a\b([^>]{0,4000}\bclass="result__a"[^>]{0,4000})>([\s\S]{0,2000}?)<\/a>/.exec(block);
  const snippet = /class="result__snippet"[^>]{0,4000}>([\s\S]{0,4000}?)<\/a>/.exec(block)?.[1] ?? "";
  const address = toBareText(/href="([^"]{1,4000})"/.exec(link?.[1] ?? "")?.[1] ?? "");
  const url = URL.canParse(address, "https://duckduckgo.com")
    ? new URL(address, "https://duckduckgo.com")
    : undefined;
  return {
    title: toBareText(link?.[2] ?? ""),
    // Links lead through a counter of clicks, with the real address in its query.
    url: url?.searchParams.get("uddg") ?? url?.href ?? "",
    snippet: toBareText(snippet),
  };
}
