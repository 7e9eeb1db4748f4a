// The gateway's own routes: health for whoever watches it, control for its owner's other commands, and a plain page.
import type { Hono } from "hono";
import type { GatewayStatus } from "../api/gateway/gateway.ts";
import { phraseOfError } from "../i18n/phrase-of-error.ts";
import { sayInEnglish } from "../i18n/words.ts";
import { isRecord } from "../lib/is-record.ts";
import { parseJson } from "../lib/json-tree.ts";
import { readVersion } from "../lib/package-root.ts";
import { type Control, ControlError } from "./control.ts";
import { readBody } from "./read-body.ts";
import { isToken, readBearer } from "./token.ts";

export interface GatewayRoutesOptions {
  control: Control;
  status(): Promise<Pick<GatewayStatus, "channels" | "startedAt">>;
  token: string;
  /** Failures that are the wish's own; their message is for a person. */
  isWish(error: unknown): error is Error;
  page(): string;
}

const largestWish = 1024 * 1024;

export function addGatewayRoutes(
  app: Hono,
  { control, status, token, isWish, page }: GatewayRoutesOptions,
): void {
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
  app.post("/control/:name", async (context) => {
    if (!isToken(readBearer(context.req.header("authorization")), token))
      return context.json({ error: "The token is not right." }, 401);
    const name = context.req.param("name");
    if (!Object.hasOwn(control, name)) return context.json({ error: "There is nothing of that name." }, 404);
    const wish = parseJson(await readBody(context.req.raw, largestWish));
    if (!isRecord(wish)) return context.json({ error: "Send one JSON object." }, 400);
    try {
      const result = await (control[name as keyof Control] as (wish: object) => Promise<unknown>)(wish);
      return context.json({ result: result ?? null });
    } catch (error) {
      if (error instanceof ControlError || isWish(error)) return context.json({ error: error.message }, 400);
      const said = phraseOfError(error);
      if (said === undefined) throw error;
      return context.json({ error: sayInEnglish(said) }, 400);
    }
  });
  app.all("/control/:name", (context) =>
    context.json({ error: "Control is asked by POST." }, 405, { allow: "POST" }),
  );
}
