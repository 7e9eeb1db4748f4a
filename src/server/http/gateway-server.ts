// The routes of the gateway's one port: the page, operations, the OpenAI API and health.
import type { GatewayControl } from "../../api/gateway/gateway.ts";
import type { OpenQuestions } from "../../api/questions.ts";
import type { RunOperation } from "../../api/run-operation.ts";
import type { Config } from "../../config/schema.ts";
import type { Words } from "../../i18n/words.ts";
import type { Clock } from "../../lib/clock.ts";
import { createIds } from "../../lib/ids.ts";
import { toolHint } from "../../lib/language/tool-hint.ts";
import type { Log } from "../../lib/log.ts";
import type { HomePaths } from "../../storage/home.ts";
import { type ApiParts, createApiAnswers } from "../openai/api-answers.ts";
import type { ApiEmbeddings } from "../openai/embeddings-route.ts";
import { addOpenaiApi } from "../openai/openai-api.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { addWebRoutes } from "../web/web-routes.ts";
import type { WebSide } from "../web/web-side.ts";
import { addChannelRoutes, type Webhook } from "./channel-routes.ts";
import { addHookRoutes, type HookRoutesOptions } from "./hook-routes.ts";
import { isLocalAddress, type VisitorRules } from "./host-check.ts";
import {
  type HttpListener,
  type HttpServer,
  listenHttp,
  type ServeOptions,
  serveHttp,
} from "./http-server.ts";
import { addGatewayRoutes, addOperationRoutes, addSignInRoute } from "./operation-routes.ts";

/** Opens the port. */
export function listenGateway(
  { gateway, api }: Pick<Config, "gateway" | "api">,
  options: { port?: number; words: Words; mount?: Mount },
): Promise<HttpListener> {
  const { port = gateway.port, words, mount } = options;
  const { host, publicUrl } = gateway;
  return listenHttp({
    // One that is mounted is asked from outside by way of the server that it is mounted in.
    ...(mount === undefined ? { host, port } : { host: "127.0.0.1", port: 0 }),
    ...(publicUrl && { publicUrl }),
    hasKey: api.apiKey !== "",
    words: words.gateway.address,
  });
}

/** One of several homes behind one port. */
export interface Mount extends VisitorRules {
  /** Its cookies keep it, whatever port it gets. */
  name: string;
  /** Such as `/h/work`; absent: it is found by its host name only. */
  path?: string;
}

/** Of the page: on this machine, and from outside. */
export function listUrls(own: string, publicUrl: string | undefined, mount: Mount | undefined): string[] {
  const { path = "", mountUrl = own, publicUrl: outer } = mount ?? {};
  const outside = outer === undefined ? publicUrl : outer.replace(/\/+$/, "") + path;
  return [mountUrl, ...(outside ? [outside] : [])];
}

export interface ServerParts {
  config: Pick<Config, "gateway" | "api" | "agents">;
  log: Log;
  loop: ApiParts["loop"];
  imageLimits?: ApiParts["imageLimits"];
  embeddings?: ApiEmbeddings | undefined;
  paths: HomePaths;
  status: GatewayControl["status"];
  operations: { run: RunOperation; questions: OpenQuestions };
  web: WebSide;
  hooks: HookRoutesOptions["state"];
  /** Of channels whose platform sends requests. */
  webhooks: readonly Webhook[];
  /** Shown where the web page was not built. */
  page(): string;
  words: Words;
  clock: Clock;
  telemetry?: Pick<Telemetry, "addRoutes">;
  mount?: Mount;
  pass?: ServeOptions["pass"];
}

export function serveGateway(listener: HttpListener, parts: ServerParts): HttpServer {
  const { config, log, status, operations, web, hooks, page, words, clock, mount, pass } = parts;
  const { gateway, api, agents } = config;
  const { host, mountUrl } = mount ?? { host: gateway.host };
  const publicUrl = mount?.publicUrl || gateway.publicUrl || undefined;
  const ids = createIds(clock);
  return serveHttp(listener, {
    host,
    ...(publicUrl !== undefined && { publicUrl }),
    ...(mountUrl !== undefined && { mountUrl }),
    ...(mount?.path !== undefined && { mount: mount.path }),
    ...(pass && { pass }),
    words: words.gateway.address,
    origins: api.origins,
    onError: (error) => log.error("request-failed", { error }),
    upgrade: web.upgrade,
    addRoutes(routes) {
      const callerOf = addWebRoutes(routes, { ...web, ...(publicUrl !== undefined && { publicUrl }) });
      const operationRoutes = {
        ...operations,
        callerOf,
        words,
        newId: () => ids.next(),
        onError: (error: unknown, name: string) => log.error("request-failed", { method: name, error }),
      };
      addOperationRoutes(routes, operationRoutes);
      addSignInRoute(routes, operationRoutes);
      addHookRoutes(routes, { state: hooks, clock, newId: () => ids.next() });
      web.files?.addTo(routes);
      addChannelRoutes(routes, parts.webhooks);
      addGatewayRoutes(routes, { status, page });
      parts.telemetry?.addRoutes(routes);
      addOpenaiApi(routes, {
        answer: createApiAnswers({ ...parts, ids }),
        describeTool: ({ name, arguments: args }) =>
          `🔧 ${toolHint(name, args, agents.defaults.toolHintMaxLength)}`,
        ...(parts.embeddings && { embeddings: parts.embeddings }),
        apiKey: api.apiKey,
        origins: api.origins,
        isExposed: publicUrl !== undefined || mountUrl !== undefined || !isLocalAddress(host),
        timeoutMs: api.timeout * 1000,
        clock,
        newId: () => ids.next(),
      });
    },
  });
}
