// Asks the gateway to do something. A failure is told in a toast, unless the form shows it itself.
import { useCallback, useRef, useState } from "react";
import type { OperationName, ParamsOf, Problem, ResultOf } from "../../../src/server/protocol.ts";
import { type Toast, useToasts } from "../app/toasts.tsx";
import type { Outcome } from "./connection.ts";
import { useWire } from "./wire-context.tsx";

export interface Mutation<Name extends OperationName> {
  run(params: ParamsOf<Name>): Promise<Outcome<ResultOf<Name>>>;
  isRunning: boolean;
  /** Why the latest one failed. */
  problem: Problem | undefined;
  clear(): void;
}

export interface MutationOptions<Result> {
  /** The form shows a failure itself. */
  isQuiet?: boolean;
  /** What is said when it is done. */
  done?: (result: Result) => Toast;
}

export function useMutation<Name extends OperationName>(
  method: Name,
  { isQuiet = false, done }: MutationOptions<ResultOf<Name>> = {},
): Mutation<Name> {
  const { connection } = useWire();
  const { showToast } = useToasts();
  const [running, setRunning] = useState(0);
  const [problem, setProblem] = useState<Problem>();
  const latest = useRef(done);
  latest.current = done;
  const run = useCallback(
    async (params: ParamsOf<Name>) => {
      setRunning((before) => before + 1);
      const outcome = await connection.ask(method, params);
      setRunning((before) => before - 1);
      setProblem(outcome.ok ? undefined : outcome.problem);
      if (!outcome.ok && !isQuiet) showToast({ text: outcome.problem.message, tone: "bad" });
      if (outcome.ok && latest.current) showToast(latest.current(outcome.result));
      return outcome;
    },
    [connection, method, isQuiet, showToast],
  );
  return { run, isRunning: running > 0, problem, clear: useCallback(() => setProblem(undefined), []) };
}
