// Asks the gateway to do something. A failure is told in a toast, unless the form shows it itself.
import { useCallback, useState } from "react";
import type { MethodName, ParamsOf, Problem, ResultOf } from "../../../src/server/protocol.ts";
import { useToasts } from "../app/toasts.tsx";
import type { Outcome } from "./connection.ts";
import { useWire } from "./wire-context.tsx";

export interface Mutation<Name extends MethodName> {
  run(params: ParamsOf<Name>): Promise<Outcome<ResultOf<Name>>>;
  isRunning: boolean;
  /** Why the latest one failed. */
  problem: Problem | undefined;
  clear(): void;
}

export function useMutation<Name extends MethodName>(
  method: Name,
  { isQuiet = false }: { isQuiet?: boolean } = {},
): Mutation<Name> {
  const { connection } = useWire();
  const { showToast } = useToasts();
  const [running, setRunning] = useState(0);
  const [problem, setProblem] = useState<Problem>();
  const run = useCallback(
    async (params: ParamsOf<Name>) => {
      setRunning((before) => before + 1);
      const outcome = await connection.ask(method, params);
      setRunning((before) => before - 1);
      setProblem(outcome.ok ? undefined : outcome.problem);
      if (!outcome.ok && !isQuiet) showToast({ text: outcome.problem.message, tone: "bad" });
      return outcome;
    },
    [connection, method, isQuiet, showToast],
  );
  return { run, isRunning: running > 0, problem, clear: useCallback(() => setProblem(undefined), []) };
}
