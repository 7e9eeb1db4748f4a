// A web site on 127.0.0.1 with pages given as data, and a guarded fetch that may reach it and nothing else of this machine.
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createGuardedFetch, type GuardedFetch } from "../../src/lib/network/guarded-fetch.ts";
import { closeServer, listen } from "./proxy-server.ts";

export interface WebPage {
  status?: number;
  headers?: Record<string, string>;
  /** `content-type`. Default `text/html; charset=utf-8`. */
  type?: string;
  body?: string | Uint8Array;
}

export interface SiteRequest {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface WebSite {
  /** `http://127.0.0.1:<port>` */
  url: string;
  requests: SiteRequest[];
  /** May be changed while the site is up. A function answers on its own. */
  pages: Record<string, string | WebPage | RequestListener>;
  fetch: GuardedFetch;
  close(): Promise<void>;
}

export async function startWebSite(pages: WebSite["pages"] = {}): Promise<WebSite> {
  const requests: SiteRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method = "", url = "", headers } = request;
    requests.push({ method, url, headers, body });
    const page = pages[url] ??
      pages[url.split("?")[0] ?? ""] ?? { status: 404, body: "<p>No such page.</p>" };
    if (typeof page === "function") return page(request, response);
    const { status = 200, type = "text/html; charset=utf-8", ...rest } = toPage(page);
    response.writeHead(status, { "content-type": type, ...rest.headers }).end(rest.body);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    pages,
    fetch: createGuardedFetch({ allow: ["127.0.0.1"] }),
    close: () => closeServer(server),
  };
}

function toPage(page: string | WebPage): WebPage {
  return typeof page === "string" ? { body: page } : page;
}
