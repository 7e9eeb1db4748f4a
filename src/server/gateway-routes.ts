// The gateway's own routes: health for programs that watch it, and a plain page.
import type { Hono } from "hono";
import type { GatewayStatus } from "../api/gateway/gateway.ts";
import { readVersion } from "../lib/package-root.ts";

export interface GatewayRoutesOptions {
  status(): Promise<Pick<GatewayStatus, "channels" | "startedAt">>;
  page(): string;
}

export function addGatewayRoutes(app: Hono, { status, page }: GatewayRoutesOptions): void {
  app.get("/health", async (context) => {
    const { channels, startedAt } = await status();
    const states = channels.map(({ name, state }) => ({ name, state }));
    return context.json({
      status: "ok",
      pid: process.pid,
      version: readVersion(),
      startedAt,
      channels: states,
    });
  });
  app.get("/", (context) => context.html(page()));
}
