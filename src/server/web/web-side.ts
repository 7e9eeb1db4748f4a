// What a gateway serves to browsers: sign-in, the socket, media files, and the page itself.
import type { ChatServices } from "../../api/chat/chat-services.ts";
import type { OpenQuestions } from "../../api/questions.ts";
import type { RunOperation } from "../../api/run-operation.ts";
import { askLimitMs } from "../../bus/ask.ts";
import type { MessageBus } from "../../bus/bus.ts";
import type { FileRoots } from "../../guards/files/file-roots.ts";
import type { Words } from "../../i18n/words.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { packagePath } from "../../lib/package-root.ts";
import type { HomePaths } from "../../storage/home.ts";
import type { EventHub } from "../live/event-hub.ts";
import { createFileRoute } from "./file-route.ts";
import { createMediaRoute } from "./media-route.ts";
import { WebAccess, type WebAccessOptions, WebSessions } from "./web-access.ts";
import type { AnswerOptions } from "./web-connection.ts";
import { openWebFiles, type WebFiles } from "./web-files.ts";
import type { AddReadRoutes, WebRoutesOptions } from "./web-routes.ts";
import { openWebSocket, type UpgradeHandler } from "./web-socket.ts";

export interface WebParts {
  paths: HomePaths;
  workspace: string;
  words: Words;
  log: Log;
  bus: Pick<MessageBus, "onLive">;
  conversations: ChatServices["conversations"];
  roots: FileRoots;
  operations: { run: RunOperation; questions: OpenQuestions };
  hub: EventHub;
  clock: Clock;
}

export interface WebSide extends Pick<WebRoutesOptions, "access" | "showLink"> {
  upgrade: UpgradeHandler;
  addReadRoutes: AddReadRoutes;
  /** The page; absent where it was not built. */
  files?: WebFiles;
}

export async function openWebSide(parts: WebParts, access: WebAccess): Promise<WebSide> {
  const files = await openWebFiles(packagePath("dist", "web"));
  announceChanges(parts.bus, parts.hub);
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
      onError: (error, method) => parts.log.error("request-failed", { method, error }),
    }),
    addReadRoutes(routes, viewerOf) {
      createMediaRoute(parts)(routes, viewerOf);
      createFileRoute(parts.roots)(routes, viewerOf);
    },
    ...(files && { files }),
  };
}

/** Every page of the person is notified; the one that made the request shows it. */
function createAsk({ operations: { questions }, hub }: WebParts): AnswerOptions["ask"] {
  return (question, { person, requestId, signal }) => {
    const late = AbortSignal.timeout(askLimitMs);
    const limit = signal === undefined ? late : AbortSignal.any([late, signal]);
    return questions.ask(question, { person, signal: limit }, (questionId) =>
      hub.publish({ type: "question", requestId, questionId, question }, { person }),
    );
  };
}

/** Tells open pages when a turn may have changed what they show: it has cost something, and may have written to memory. */
function announceChanges(bus: Pick<MessageBus, "onLive">, hub: EventHub): void {
  bus.onLive(({ body }) => {
    if (body.type !== "turn-end") return;
    hub.publish({ type: "changed", topic: "usage" });
    hub.publish({ type: "changed", topic: "memory" });
    hub.publish({ type: "changed", topic: "files" });
  });
}

/** `name`: of one of several homes behind one port. */
export function openWebAccess(
  { paths, clock }: Pick<WebParts, "paths" | "clock">,
  keys: Pick<WebAccessOptions, "tokens" | "controlToken" | "apiKey">,
  name?: string,
): WebAccess {
  const sessions = new WebSessions(paths.webSessions, clock);
  return new WebAccess({ sessions, clock, ...keys, ...(name && { cookieName: `nanobot-${name}` }) });
}
