// The one port of the gateway, with all that is served there.
import type { GatewayControl } from "../api/gateway/gateway.ts";
import type { Words } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import { createIds } from "../lib/ids.ts";
import { addGatewayRoutes } from "../server/gateway-routes.ts";
import { type HttpServer, startHttpServer } from "../server/http-server.ts";
import { addOpenaiApi } from "../server/openai-api.ts";
import { addOperationRoutes } from "../server/operation-routes.ts";
import { isLocalAddress } from "../server/visitor.ts";
import { addWebRoutes } from "../server/web-routes.ts";
import type { HomePaths } from "../storage/home.ts";
import { createApiAnswers } from "./build-api.ts";
import type { App } from "./build-app.ts";
import type { BuiltOperations } from "./build-operations.ts";
import { toolHint } from "./tool-hint.ts";
import type { WebSide } from "./web/build-web-side.ts";

export interface ServerParts {
  app: App;
  paths: HomePaths;
  /** Instead of the configured one. */
  port?: number;
  status: GatewayControl["status"];
  operations: BuiltOperations;
  web: WebSide;
  /** Where the web's was not built. */
  page(): string;
  words: Words;
  clock: Clock;
}

export function openServer({
  app,
  paths,
  port,
  status,
  operations,
  web,
  page,
  words,
  clock,
}: ServerParts): Promise<HttpServer> {
  const { gateway, api, agents } = app.loaded.config;
  const { host } = gateway;
  const publicUrl = gateway.publicUrl || undefined;
  const ids = createIds(clock);
  return startHttpServer({
    host,
    port: port ?? gateway.port,
    ...(publicUrl !== undefined && { publicUrl }),
    hasKey: api.apiKey !== "",
    words: words.gateway.address,
    onError: (error) => app.log.error("request-failed", { error }),
    upgrade: web.upgrade,
    addRoutes(routes) {
      const callerOf = addWebRoutes(routes, { ...web, ...(publicUrl !== undefined && { publicUrl }) });
      addOperationRoutes(routes, {
        ...operations,
        callerOf,
        words,
        newId: () => ids.next(),
        onError: (error, name) => app.log.error("request-failed", { method: name, error }),
      });
      web.files?.addTo(routes);
      addGatewayRoutes(routes, { status, page });
      addOpenaiApi(routes, {
        answer: createApiAnswers({ app, paths, ids }),
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
