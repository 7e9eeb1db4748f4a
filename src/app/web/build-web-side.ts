// The side of the gateway that the browser sees: who is let in, what can be asked and read, and the socket for it.
import { join } from "node:path";
import type { GatewayControl } from "../../api/gateway/gateway.ts";
import { askLimitMs } from "../../bus/ask.ts";
import type { Clock } from "../../lib/clock.ts";
import { packagePath } from "../../lib/package-root.ts";
import type { AnswerOptions } from "../../server/answer-request.ts";
import type { EventHub } from "../../server/event-hub.ts";
import { createMediaRoute } from "../../server/media-route.ts";
import { WebAccess } from "../../server/web-access.ts";
import { openWebFiles, type WebFiles } from "../../server/web-files.ts";
import type { AddReadRoutes } from "../../server/web-routes.ts";
import { WebSessions } from "../../server/web-sessions.ts";
import { openWebSocket, type UpgradeHandler } from "../../server/web-socket.ts";
import type { App } from "../build-app.ts";
import type { GatewayOptions } from "../build-gateway.ts";
import type { BuiltOperations } from "../build-operations.ts";
import type { OpenedState } from "../open-state.ts";
import { announceChanges } from "./announce-changes.ts";

/** What the pages are served from. */
export interface WebParts extends Pick<GatewayOptions, "paths" | "words"> {
  app: App;
  state: OpenedState;
  status: GatewayControl["status"];
  operations: BuiltOperations;
  hub: EventHub;
  clock: Clock;
}

export interface WebSide {
  access: WebAccess;
  upgrade: UpgradeHandler;
  addReadRoutes: AddReadRoutes;
  /** The page; absent where it was not built. */
  files?: WebFiles;
}

export async function openWebSide(parts: WebParts, access: WebAccess): Promise<WebSide> {
  const files = await openWebFiles(packagePath("dist", "web"));
  announceChanges(parts.state.bus, parts.hub);
  return {
    access,
    upgrade: openWebSocket({
      access,
      hub: parts.hub,
      clock: parts.clock,
      run: parts.operations.run,
      words: parts.words,
      ask: createAsk(parts),
      show: (progress, { person, requestId }) => parts.hub.publish({ ...progress, requestId }, { person }),
      onError: (error, method) => parts.app.log.error("request-failed", { method, error }),
    }),
    addReadRoutes: createMediaRoute({
      paths: parts.paths,
      workspace: parts.app.workspace,
      conversations: parts.app.chat.conversations,
    }),
    ...(files && { files }),
  };
}

/** Every page of the person is told; the one that made the request shows it. */
function createAsk({ operations: { questions }, hub }: WebParts): AnswerOptions["ask"] {
  return (question, { person, requestId, signal }) => {
    const late = AbortSignal.timeout(askLimitMs);
    const limit = signal === undefined ? late : AbortSignal.any([late, signal]);
    return questions.ask(question, { person, signal: limit }, (questionId) =>
      hub.publish({ type: "question", requestId, questionId, question }, { person }),
    );
  };
}

export function openWebAccess(
  { app, state: { tokens }, paths, clock }: Pick<WebParts, "app" | "state" | "paths" | "clock">,
  controlToken: string,
): WebAccess {
  const sessions = new WebSessions(join(paths.run, "web-sessions.json"), clock);
  return new WebAccess({ sessions, tokens, clock, controlToken, apiKey: app.loaded.config.api.apiKey });
}
