// `POST /hooks/<name>`: a request of another program, which becomes a message in the trigger's chat. A wrong secret and an
// unknown name are refused alike.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { fireTrigger } from "../../api/jobs/triggers.ts";
import type { HomeServices } from "../../api/services.ts";
import type { Clock } from "../../lib/clock.ts";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { isToken, readBearer } from "../../lib/network/token.ts";
import type { Trigger } from "../../storage/jobs/trigger-file.ts";
import { type Context, type Routes, readBody } from "./routes.ts";

export interface HookRoutesOptions {
  state: Pick<HomeServices, "bus" | "triggers">;
  clock: Pick<Clock, "now">;
  newId(): string;
}

const largestPayload = 1024 * 1024;
/** A signed time that is further away is a repetition. */
const longestAgeMs = 5 * 60_000;

export function addHookRoutes(routes: Routes, { state, clock, newId }: HookRoutesOptions): void {
  routes.post("/hooks/:name", async (context) => {
    const body = await readBody(context.incoming, largestPayload);
    const trigger = await state.triggers.find(context.params.name ?? "");
    if (trigger === undefined || !isSigned(context, body, trigger, clock.now()))
      return context.json({ problem: { code: "triggers.refused" } }, 401);
    const payload = readPayload(context, body);
    const delivery = findDelivery(context, payload) ?? newId();
    const { id, isDuplicate } = await fireTrigger(state, trigger, { payload, delivery });
    return context.json({ result: { id, isDuplicate } }, 202);
  });
}

function isSigned(context: Context, body: string, { signature, secret }: Trigger, now: number): boolean {
  switch (signature) {
    case "bearer":
      return isToken(readBearer(context.header("authorization")), secret);
    case "github":
      return isEqual(context.header("x-hub-signature-256"), `sha256=${sign(body, secret)}`);
    case "stripe": {
      const parts = (context.header("stripe-signature") ?? "").split(",").map((part) => part.trim());
      const time = parts.find((part) => part.startsWith("t="))?.slice(2) ?? "";
      const isRecent = /^\d{1,15}$/.test(time) && Math.abs(now - Number(time) * 1000) <= longestAgeMs;
      const expected = `v1=${sign(`${time}.${body}`, secret)}`;
      return isRecent && parts.slice(0, 20).some((part) => isEqual(part, expected));
    }
  }
}

function sign(text: string, secret: string): string {
  return createHmac("sha256", secret).update(text).digest("hex");
}

function isEqual(given: string | undefined, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given ?? ""), digest(expected));
}

/** JSON, a form (GitHub puts its JSON into the field `payload`), or text. */
function readPayload(context: Context, body: string): unknown {
  if (context.header("content-type")?.includes("application/x-www-form-urlencoded")) {
    const fields = Object.fromEntries(new URLSearchParams(body));
    return (fields.payload !== undefined && parseJson(fields.payload)) || fields;
  }
  return parseJson(body) ?? body;
}

/** GitHub names its delivery in a header, Stripe its event in the payload. */
function findDelivery(context: Context, payload: unknown): string | undefined {
  const named = context.header("x-github-delivery") ?? context.header("idempotency-key");
  if (named !== undefined) return named.slice(0, 200);
  const isEvent = context.header("stripe-signature") !== undefined && isRecord(payload);
  return isEvent && typeof payload.id === "string" ? payload.id.slice(0, 200) : undefined;
}
