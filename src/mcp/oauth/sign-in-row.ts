// What is kept of a sign-in: tokens, the client that was registered, where both came from, and a sign-in that is under way.
// What cannot be read counts as not there.
import type { OAuthDiscoveryState, StoredOAuthClientInformation } from "@modelcontextprotocol/client";
import * as z from "zod";
import type { JsonObject } from "../../lib/json-tree.ts";

const tokensSchema = z.looseObject({
  access_token: z.string(),
  token_type: z.string().default("Bearer"),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
  issuer: z.string().optional(),
  /** Milliseconds; absent: it was not said. */
  expiresAt: z.number().optional(),
});

export type Tokens = z.infer<typeof tokensSchema>;

const discoverySchema = z
  .looseObject({ authorizationServerUrl: z.string() })
  .transform((state) => state as unknown as OAuthDiscoveryState);

const clientSchema = z
  .looseObject({ client_id: z.string() })
  .transform((client) => client as unknown as StoredOAuthClientInformation);

const rowSchema = z.object({
  tokens: tokensSchema.optional().catch(undefined),
  client: clientSchema.optional().catch(undefined),
  /** That the client was registered with. */
  redirectUrl: z.string().optional().catch(undefined),
  discovery: discoverySchema.optional().catch(undefined),
  /** The first one that a client from the config was used with, and so the only one. */
  issuer: z.string().optional().catch(undefined),
  /** What the server has asked for since the last sign-in. */
  challenge: z
    .object({ scope: z.string().optional(), metadataUrl: z.string().optional() })
    .optional()
    .catch(undefined),
  pending: z
    .object({
      state: z.string(),
      verifier: z.string(),
      redirectUrl: z.string(),
      scope: z.string().optional(),
      discovery: discoverySchema,
      startedAt: z.number(),
    })
    .optional()
    .catch(undefined),
});

export type SignInRow = z.infer<typeof rowSchema>;

export function readSignInRow(row: JsonObject | undefined): SignInRow {
  return rowSchema.safeParse(row ?? {}).data ?? {};
}

export function toStoredRow(row: SignInRow): JsonObject {
  return JSON.parse(JSON.stringify(row)) as JsonObject;
}

/** With the moment at which they expire, instead of how long they last. */
export function toTokens(answer: object, now: number, before?: Tokens): Tokens {
  const { expires_in: seconds, ...rest } = answer as Record<string, unknown>;
  const parsed = tokensSchema.parse(rest);
  return {
    ...parsed,
    ...(before?.refresh_token !== undefined && {
      refresh_token: parsed.refresh_token ?? before.refresh_token,
    }),
    ...(parsed.scope === undefined && before?.scope !== undefined && { scope: before.scope }),
    ...(Number(seconds) > 0 && { expiresAt: now + Number(seconds) * 1_000 }),
  };
}
