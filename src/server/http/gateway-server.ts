// The routes of the gateway's one port: the page, operations, the OpenAI API and health.
import type { GatewayControl } from "../../api/gateway/gateway.ts";
import type { OpenQuestions } from "../../api/questions.ts";
import type { RunOperation } from "../../api/run-operation.ts";
import type { Config } from "../../config/schema.ts";
import type { Words } from "../../i18n/words.ts";
import type { Clock } from "../../lib/clock.ts";
import { createIds } from "../../lib/ids.ts";
import type { Log } from "../../lib/log.ts";
import { toolHint } from "../../lib/tool-hint.ts";
import type { HomePaths } from "../../storage/home.ts";
import { type ApiParts, addOpenaiApi, createApiAnswers } from "../openai/openai-api.ts";
import { addWebRoutes } from "../web/web-routes.ts";
import type { WebSide } from "../web/web-side.ts";
import { isLocalAddress } from "./host-check.ts";
import { type HttpListener, type HttpServer, listenHttp, serveHttp } from "./http-server.ts";
import { addGatewayRoutes, addOperationRoutes } from "./operation-routes.ts";

/** Opens the port. */
export function listenGateway(
  { gateway, api }: Pick<Config, "gateway" | "api">,
  { port = gateway.port, words }: { port?: number; words: Words },
): Promise<HttpListener> {
  const { host, publicUrl } = gateway;
  return listenHttp({
    host,
    port,
    ...(publicUrl && { publicUrl }),
    hasKey: api.apiKey !== "",
    words: words.gateway.address,
  });
}

export interface ServerParts {
  config: Pick<Config, "gateway" | "api" | "agents">;
  log: Log;
  loop: ApiParts["loop"];
  imageLimits?: ApiParts["imageLimits"];
  paths: HomePaths;
  status: GatewayControl["status"];
  operations: { run: RunOperation; questions: OpenQuestions };
  web: WebSide;
  /** Shown where the web page was not built. */
  page(): string;
  words: Words;
  clock: Clock;
}

export function serveGateway(listener: HttpListener, parts: ServerParts): HttpServer {
  const { config, log, status, operations, web, page, words, clock } = parts;
  const { gateway, api, agents } = config;
  const { host } = gateway;
  const publicUrl = gateway.publicUrl || undefined;
  const ids = createIds(clock);
  return serveHttp(listener, {
    host,
    ...(publicUrl !== undefined && { publicUrl }),
    words: words.gateway.address,
    onError: (error) => log.error("request-failed", { error }),
    upgrade: web.upgrade,
    addRoutes(routes) {
      const callerOf = addWebRoutes(routes, { ...web, ...(publicUrl !== undefined && { publicUrl }) });
      addOperationRoutes(routes, {
        ...operations,
        callerOf,
        words,
        newId: () => ids.next(),
        onError: (error, name) => log.error("request-failed", { method: name, error }),
      });
      web.files?.addTo(routes);
      addGatewayRoutes(routes, { status, page });
      addOpenaiApi(routes, {
        answer: createApiAnswers({ ...parts, ids }),
        describeTool: ({ name, arguments: args }) =>
          `🔧 ${toolHint(name, args, agents.defaults.toolHintMaxLength)}`,
        apiKey: api.apiKey,
        isExposed: publicUrl !== undefined || !isLocalAddress(host),
        timeoutMs: api.timeout * 1000,
        clock,
        newId: () => ids.next(),
      });
    },
  });
}
