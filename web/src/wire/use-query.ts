// Asks the gateway for something and keeps it: asks anew when its topic changes, or when events were missed.
import { useCallback, useEffect, useState } from "react";
import type { OperationName, ParamsOf, Problem, ResultOf, Topic } from "../../../src/server/protocol.ts";
import { usePreferences } from "../app/preferences.tsx";
import { useStore, useWire } from "./wire-context.tsx";

export interface QueryOptions {
  /** Asked anew when this changes, or one of these. */
  topic?: Topic | Topic[];
  /** False: not yet. */
  isEnabled?: boolean;
  /** While other params are asked for, the last answer stays. */
  isKept?: boolean;
}

export interface Query<Result> {
  /** The latest answer to these params; stays while it is asked anew. */
  data: Result | undefined;
  problem: Problem | undefined;
  /** Nothing to show yet. */
  isLoading: boolean;
  refetch(): void;
}

export function useQuery<Name extends OperationName>(
  method: Name,
  params: ParamsOf<Name>,
  { topic, isEnabled = true, isKept = false }: QueryOptions = {},
): Query<ResultOf<Name>> {
  const { connection } = useWire();
  const names = [topic ?? []].flat();
  const { language } = usePreferences();
  const version = useStore(({ generation, topics }) =>
    [language, generation, ...names.map((name) => topics[name] ?? 0)].join("."),
  );
  const [round, setRound] = useState(0);
  const text = JSON.stringify(params);
  const [answer, setAnswer] = useState<{ text: string; data?: ResultOf<Name>; problem?: Problem }>({ text });
  // biome-ignore lint/correctness/useExhaustiveDependencies: version and round say when to ask anew.
  useEffect(() => {
    if (!isEnabled) return;
    let isCurrent = true;
    void connection.ask(method, JSON.parse(text) as ParamsOf<Name>).then((outcome) => {
      if (!isCurrent) return;
      setAnswer(outcome.ok ? { text, data: outcome.result } : { text, problem: outcome.problem });
    });
    return () => {
      isCurrent = false;
    };
  }, [connection, method, text, isEnabled, version, round]);
  const isSame = isKept || answer.text === text;
  const [data, problem] = isSame ? [answer.data, answer.problem] : [undefined, undefined];
  const refetch = useCallback(() => setRound((before) => before + 1), []);
  return {
    data: data as ResultOf<Name> | undefined,
    problem,
    isLoading: isEnabled && data === undefined && problem === undefined,
    refetch,
  };
}
