// How programs of this home call operations: of the gateway that runs, over HTTP, or in this process. The caller cannot
// tell which, except by asking.
import type { Phrase } from "../i18n/phrase.ts";
import { fail, UserError } from "../i18n/user-error.ts";
import type { HomeLock } from "../storage/home-lock.ts";
import { findGateway } from "./gateway/gateway-file.ts";
import type { HomeState } from "./home/home-state.ts";
import type { OperationName, ParamsOf, ResultOf } from "./index.ts";
import type { Caller } from "./operation.ts";
import type { Problem } from "./problem.ts";
import { createRunner, type Interaction, type RunOperation } from "./run-operation.ts";
import type {
  AssistantServices,
  HomeServices,
  InstallationServices,
  OperationFacts,
  Services,
  Surroundings,
  WorkspaceServices,
} from "./services.ts";

export interface CallOptions extends Interaction {
  signal?: AbortSignal;
  /** The same one is done once. */
  requestId?: string;
}

export interface Client {
  call<Name extends OperationName>(
    name: Name,
    params: ParamsOf<Name>,
    options?: CallOptions,
  ): Promise<ResultOf<Name>>;
  /** By a gateway that runs: jobs are run, and messages are sent. */
  readonly isServed: boolean;
}

export interface GatewayAddress {
  pid: number;
  url: string;
  token: string;
}

/** Of the one whose client it is. */
export type ClientCaller = Omit<Caller, "requestId" | "signal">;

/** In this process. */
export function createLocalClient(
  run: RunOperation,
  caller: ClientCaller,
  { newId, isServed }: { newId(): string; isServed: boolean },
): Client {
  return {
    isServed,
    async call(name, params, { signal, requestId = newId(), ...interaction } = {}) {
      const whole = { ...caller, requestId, ...(signal && { signal }) };
      return (await run({ name, params }, whole, interaction)) as never;
    },
  };
}

/** Says for whom, and in which chat, another process of this home calls. Counts only together with the gateway's token. */
export const chatHeader = "x-nanobot-chat";

/** One line of an answer: what happens while the operation runs, and how it ended. */
export type CallLine =
  | { event: Parameters<NonNullable<Interaction["show"]>>[0] }
  | { questionId: string; question: Parameters<NonNullable<Interaction["ask"]>>[0] }
  | { result: unknown }
  | { problem: Problem };

/** Over HTTP, with the gateway's own token. */
export function createHttpClient(
  { url, token }: GatewayAddress,
  { language, chat }: Partial<ClientCaller> = {},
  fetch = globalThis.fetch,
): Client {
  const post = (name: string, params: unknown, { signal, requestId }: CallOptions) =>
    fetch(`${url}/api/${name}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/x-ndjson",
        ...(requestId !== undefined && { "idempotency-key": requestId }),
        ...(chat && { [chatHeader]: encodeURIComponent(JSON.stringify(chat)) }),
        ...(language && { "accept-language": language === "chinese" ? "zh" : "en" }),
      },
      body: JSON.stringify(params),
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      if (error instanceof TypeError) throw fail("gateway.silent");
      throw error;
    });

  async function run(name: string, params: unknown, options: CallOptions): Promise<unknown> {
    const { show, ask, signal } = options;
    const response = await post(name, params, options);
    for await (const line of readLines(response)) {
      if ("result" in line) return line.result;
      if ("problem" in line) throw toUserError(line.problem);
      if ("event" in line) show?.(line.event);
      else {
        const choice = (await ask?.(line.question, signal)) ?? "";
        await run("questions.answer", { questionId: line.questionId, choice }, { signal });
      }
    }
    throw fail("gateway.silent");
  }

  return {
    isServed: true,
    async call(name, params, options = {}) {
      return (await run(name, params, options)) as never;
    },
  };
}

async function* readLines(response: Response): AsyncGenerator<CallLine> {
  let rest = "";
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") yield JSON.parse(line);
    }
  } catch (error) {
    if (error instanceof TypeError) throw fail("gateway.silent");
    throw error;
  }
  if (rest !== "") yield JSON.parse(rest);
}

/** A refusal as it was made. */
export function toUserError({
  code,
  params,
  fields,
}: Pick<Problem, "code" | "params" | "fields">): UserError {
  return new UserError({ code, params } as Phrase, {
    ...(fields && {
      fields: fields.map(({ path, ...said }) => ({ path, phrase: said as unknown as Phrase })),
    }),
  });
}

export interface ClientParts extends Surroundings {
  state: HomeState;
  lock: HomeLock;
  /** Of the gateway that this is part of. */
  run?(): RunOperation;
  /** The workspace is not the gateway's, or has an assistant in this process: a gateway is asked about the home only. */
  isApart: boolean;
  /** Services that are opened in this process. */
  open: {
    installation(): Promise<InstallationServices>;
    workspace(): Promise<WorkspaceServices>;
    assistant?(): Promise<AssistantServices>;
  };
  /** Opens one where there is none in this process. */
  openAssistant?(): Promise<{ clientFor: ClientFor }>;
}

export type ClientFor = (caller: ClientCaller) => Promise<Client>;

export function createClients(parts: ClientParts): ClientFor {
  const { paths, ids, run, isApart } = parts;
  const newId = () => ids.next();
  let local: Promise<RunOperation> | undefined;
  const openHere = async (caller: ClientCaller, isServed: boolean) => {
    local ??= openLocal(parts);
    return createLocalClient(await local, caller, { newId, isServed });
  };
  return async (caller) => {
    if (run !== undefined) return createLocalClient(run(), caller, { newId, isServed: true });
    const gateway = await findGateway(paths.run);
    if (gateway === undefined) return openHere(caller, false);
    const there = createHttpClient(gateway, caller);
    return isApart ? withWorkspace(await openHere(caller, true), there) : there;
  };
}

/** Operations that are not about the workspace go to the gateway. */
function withWorkspace(here: Client, there: Client): Client {
  return {
    isServed: true,
    async call(name, params, options) {
      const { operations } = await import("./index.ts");
      const needs = operations.get(name)?.needs;
      const isThere = needs === "home" || needs === "gateway";
      return (isThere ? there : here).call(name, params, options);
    },
  };
}

async function openLocal(parts: ClientParts): Promise<RunOperation> {
  const { openAssistant, lock } = parts;
  const { operations } = await import("./index.ts");
  let home: Promise<HomeServices> | undefined;
  const open = async (needs: keyof Services): Promise<Services[keyof Services]> => {
    if (needs === "home") {
      home ??= openHomeServices(parts, operations);
      return home;
    }
    const opening = needs === "gateway" ? undefined : parts.open[needs]?.();
    if (opening === undefined) throw fail("gateway.not-running");
    return opening;
  };
  const run = createRunner({ operations, lock, services: (needs) => open(needs) as never });
  if (openAssistant === undefined) return run;
  return async (request, caller, interaction) => {
    const { name, params } = request;
    if (operations.get(name)?.needs !== "assistant") return run(request, caller, interaction);
    // It has a lock of its own: the whole operation runs there.
    const client = await (await openAssistant()).clientFor(caller);
    return client.call(name as OperationName, params as never, { ...interaction, ...caller });
  };
}

async function openHomeServices(
  { state, ...facts }: ClientParts,
  operations: OperationFacts,
): Promise<HomeServices> {
  const { bus, ledger, currency, cron, goals, triggers, pairing, tokens } = await state.open();
  const opened = { bus, ledger, currency, cron, goals, triggers, pairing, tokens, removedJobs: new Map() };
  return { ...toSurroundings(facts), ...opened, operations };
}

export function toSurroundings(facts: Surroundings): Surroundings {
  const { paths, env, workspace, clock, ids, log, timeZone, loaded, saveConfig } = facts;
  return { paths, env, workspace, clock, ids, log, timeZone, loaded, saveConfig };
}
