// The tool web_search: titles, addresses and a few words of what a search service finds. What goes wrong becomes a sentence
// from which the model can go on.
import * as z from "zod";
import { ownValue } from "../../lib/json-tree.ts";
import { toLabel } from "../../lib/labels.ts";
import { FetchError, type GuardedResponse } from "../../lib/network/guarded-fetch.ts";
import { toPlainLine } from "../../lib/text.ts";
import { defineTool } from "../../runner/define-tool.ts";
import { type Tool, ToolError } from "../../runner/tool.ts";
import { browserAgent, createFrame, type WebOptions } from "./web-fetch.ts";
import {
  type SearchHit,
  type SearchProvider,
  searchProviders,
  type TimeRange,
} from "./web-search-providers.ts";

export interface WebSearchOptions extends WebOptions {
  /** A name of the table. */
  provider: string;
  apiKey?: string;
  /** Instead of the service's own address: chosen by the owner, so it may be a private one. */
  baseUrl?: string;
  /** Results where the model does not say how many. Default 5. */
  maxResults?: number;
  timeoutSeconds?: number;
  /** Keys and addresses that the options leave out. */
  environment?: Record<string, string | undefined>;
}

const largestAnswer = 2 * 1024 * 1024;
const ranges: Record<string, TimeRange> = {
  OneDay: "day",
  OneWeek: "week",
  OneMonth: "month",
  OneYear: "year",
};
const otherWays =
  "Until then use web_fetch on an address that you know; the owner can choose another service in tools.web.search.";

const parameters = z.object({
  query: z.string().min(1),
  count: z.int().min(1).max(10).optional(),
  timeRange: z.string().optional().describe("OneDay, OneWeek, OneMonth, OneYear, or dates FROM..TO"),
});

export function createWebSearch(options: WebSearchOptions): Tool<z.output<typeof parameters>> {
  const { fetch, userAgent = browserAgent, maxResults = 5, timeoutSeconds = 30 } = options;
  const frame = createFrame();
  return defineTool({
    name: "web_search",
    description: "Searches the web.",
    parameters,
    readOnly: true,
    // The words go to the service that the owner chose, also when a guest wrote them.
    effects: ({ query }) => [{ type: "fetch", url: findAddress(options), sendsData: false, query }],
    async execute({ query, count = maxResults, timeRange }, { signal }) {
      const { provider, baseUrl, key, isOwn } = findService(options);
      const range = timeRange === undefined ? undefined : toRange(timeRange, provider);
      const { path, headers, ...request } = provider.toRequest({ query, count, range }, key);
      const response = await fetch(baseUrl.replace(/\/+$/, "") + path, {
        ...request,
        signal,
        headers: { "user-agent": userAgent, ...headers },
        maxBytes: largestAnswer,
        timeoutMs: timeoutSeconds * 1000,
        ...(isOwn && { exemptOrigin: new URL(baseUrl).origin }),
      }).catch((error) => {
        throw error instanceof FetchError ? new ToolError(`${error.message} ${otherWays}`) : error;
      });
      const hits = readHits(provider, response).slice(0, count);
      const text = hits.map(showHit).join("\n") || "(nothing was found; try other words)";
      return {
        content: frame(`Found by ${provider.title}`, text),
        labels: [toLabel("web", provider.title.toLowerCase())],
      };
    },
  });
}

interface Service {
  provider: SearchProvider;
  baseUrl: string;
  key: string;
  /** The address is the owner's choice, not the table's. */
  isOwn: boolean;
}

function findService(options: WebSearchOptions): Service {
  const { provider: name, apiKey, environment = {} } = options;
  const provider = ownValue(searchProviders, name);
  if (provider === undefined) {
    const known = Object.keys(searchProviders).join(", ");
    throw new ToolError(`There is no search service "${name}" here, only: ${known}. ${otherWays}`);
  }
  const { title, keyVariable = "", baseVariable = "" } = provider;
  const baseUrl = findAddress(options);
  if (!URL.canParse(baseUrl)) throw missing(title, "its address", "baseUrl", baseVariable);
  const key = apiKey || environment[keyVariable] || "";
  if (keyVariable !== "" && key === "") throw missing(title, "a key", "apiKey", keyVariable);
  return { provider, baseUrl, key, isOwn: baseUrl !== provider.baseUrl };
}

function findAddress({ provider: name, baseUrl, environment = {} }: WebSearchOptions): string {
  const provider = ownValue(searchProviders, name);
  return baseUrl || environment[provider?.baseVariable ?? ""] || provider?.baseUrl || "";
}

function missing(title: string, what: string, key: string, variable: string): ToolError {
  const setting = `tools.web.search.${key}${variable === "" ? "" : ` or ${variable}`}`;
  return new ToolError(`${title} needs ${what}: the owner can set ${setting}. ${otherWays}`);
}

function toRange(text: string, { title, canTakeDates }: SearchProvider): TimeRange {
  const range = ownValue(ranges, text);
  if (range !== undefined) return range;
  const [, from, to] = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined && canTakeDates) return { from, to };
  const names = Object.keys(ranges).join(", ");
  throw new ToolError(
    `timeRange for ${title} is one of ${names}${canTakeDates ? ", or FROM..TO with dates" : ""}.`,
  );
}

function readHits(provider: SearchProvider, { status, bytes }: GuardedResponse): SearchHit[] {
  const { title, keyVariable, refusal = keyVariable && "The owner should check the key." } = provider;
  const hits = status === 200 ? provider.readHits(bytes.toString("utf8")) : undefined;
  if (hits !== undefined) return hits.filter(({ url }) => /^https?:\/\/\S{1,2000}$/.test(url));
  const isRefused = status === 401 || status === 403;
  // DuckDuckGo lets robots in with 200 or 202, and shows them a riddle.
  if (status === 429 || status < 300 || (isRefused && refusal === undefined)) {
    throw new ToolError(
      `${title} did not answer: it limits how often it is asked, or takes this for a robot. Wait a few minutes. ${otherWays}`,
    );
  }
  throw new ToolError(`${title} answered ${status}. ${isRefused ? `${refusal} ` : ""}${otherWays}`);
}

function showHit({ title, url, snippet, date = "" }: SearchHit, index: number): string {
  const about = [date, snippet].map((piece) => toPlainLine(piece, 400)).filter((piece) => piece !== "");
  return [
    `${index + 1}. ${toPlainLine(title, 200)}`,
    url,
    ...(about.length > 0 ? [about.join(": ")] : []),
  ].join("\n   ");
}
