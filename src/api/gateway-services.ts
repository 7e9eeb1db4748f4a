// What operations work on that exists only in a gateway that runs.
import type { Config } from "../config/schema.ts";
import type { GatewayControl } from "./gateway/gateway.ts";
import type { WebSignIns } from "./gateway/web-links.ts";
import type { LogFollowers } from "./logs/logs.ts";
import type { ModelServices } from "./models/models.ts";
import type { OpenQuestions } from "./questions.ts";
import type { AssistantServices, HomeServices } from "./services.ts";

export interface GatewayServices extends HomeServices, AssistantServices {
  questions: OpenQuestions;
  gateway: GatewayControl;
  web: WebSignIns;
  models: ModelServices;
  logFollowers: LogFollowers;
  /** As the gateway was started: its config, and the workspace of the command line. */
  started: { config: Config; workspace?: string };
}
