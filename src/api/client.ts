// How programs of this home call operations: of the gateway that runs, over HTTP, or in this process. The caller cannot
// tell which, except by asking.
import type { Phrase } from "../i18n/phrase.ts";
import { fail, UserError } from "../i18n/user-error.ts";
import type { Caller } from "./operation.ts";
import type { Problem } from "./problem.ts";
import type { Interaction, RunOperation } from "./run-operation.ts";
import type { OperationName, ParamsOf, ResultOf } from "./table.ts";

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

/** Says for whom, and in which chat, another process of this home calls. Counts only beside the gateway's own token. */
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
