// The gateway's own routes: health for programs that watch it, and a plain page.
import type { GatewayStatus } from "../api/gateway/gateway.ts";
import { readVersion } from "../lib/package-root.ts";
import type { Routes } from "./routes.ts";

export interface GatewayRoutesOptions {
  status(): Promise<Pick<GatewayStatus, "channels" | "startedAt">>;
  page(): string;
}

export function addGatewayRoutes(routes: Routes, { status, page }: GatewayRoutesOptions): void {
  routes.get("/health", async (context) => {
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
  routes.get("/", (context) => context.html(page()));
}
