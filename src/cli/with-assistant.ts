// The assistant for a command that needs it: the one in the gateway that runs, otherwise one of its own.
import { resolveHome } from "../config/home.ts";
import { type AssistantControl, createControlClient } from "../server/control.ts";
import { findGateway } from "../server/gateway-file.ts";
import type { GlobalOptions } from "./command-line.ts";
import { openApp } from "./open-app.ts";
import type { Terminal } from "./terminal.ts";

/** Undefined for another workspace than the gateway's. */
export async function findServing({ config, workspace }: GlobalOptions, { env }: Pick<Terminal, "env">) {
  const paths = resolveHome({ env, configPath: config });
  return workspace === undefined ? findGateway(paths.run) : undefined;
}

export async function withAssistant<T>(
  options: GlobalOptions,
  terminal: Terminal,
  work: (assistant: AssistantControl) => Promise<T>,
): Promise<T> {
  const gateway = await findServing(options, terminal);
  if (gateway !== undefined) return work(createControlClient(gateway));
  const paths = resolveHome({ env: terminal.env, configPath: options.config });
  const { createAssistantControl } = await import("../app/assistant-control.ts");
  const app = await openApp({ options, terminal, paths, canAsk: false });
  try {
    return await work(createAssistantControl(app, terminal.words));
  } finally {
    await app.close();
  }
}
