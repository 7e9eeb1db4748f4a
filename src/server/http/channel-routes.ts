// Requests of chat platforms to channels that take them. Each channel checks the signature itself; nothing else is reached here.
import type { Channel } from "../../bus/channel.ts";
import { type Answer, type Routes, readBody } from "./routes.ts";

const mostBytes = 3 * 1024 * 1024;

export type Webhook = NonNullable<Channel["http"]>;

export function addChannelRoutes(routes: Routes, webhooks: readonly Webhook[]): void {
  for (const { path, handle } of webhooks) {
    routes.all(path, async ({ incoming }): Promise<Answer> => {
      const { method = "GET", headers, url = "" } = incoming;
      if (method !== "GET" && method !== "POST") return { status: 405, headers: {} };
      const body = method === "POST" ? await readBody(incoming, mostBytes) : undefined;
      const given = Object.entries(headers).filter(
        (pair): pair is [string, string] => typeof pair[1] === "string",
      );
      const address = new URL(url, "http://gateway.invalid");
      const request = new Request(address, { method, headers: given, ...(body !== undefined && { body }) });
      const response = await handle(request);
      return {
        status: response.status,
        headers: { "content-type": "text/plain; charset=utf-8" },
        body: await response.text(),
      };
    });
  }
}
