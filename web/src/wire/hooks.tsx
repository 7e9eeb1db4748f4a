// React hooks over the store and the connection: useStore, useQuery, useMutation, and useSay for phrases.
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { isPhraseCode, type Phrase, type PhraseCatalogue, renderPhrase } from "../../../src/i18n/phrase.ts";
import type { OperationName, ParamsOf, Problem, ResultOf, Topic } from "../../../src/server/protocol.ts";
import { usePreferences } from "../app/preferences.tsx";
import { showToast, type Toast } from "../app/toasts.tsx";
import type { State } from "../store/reduce.ts";
import type { Store } from "../store/store.ts";
import type { Language } from "../words/index.ts";
import type { Connection, Outcome } from "./connection.ts";

export interface Wire {
  store: Store;
  connection: Connection;
}

const WireContext = createContext<Wire | undefined>(undefined);

export const WireProvider = WireContext.Provider;

export function useWire(): Wire {
  const wire = useContext(WireContext);
  if (wire === undefined) throw new Error("there is no WireProvider above");
  return wire;
}

/** A part of the state. `select` must return the same object as long as nothing in it changed. */
export function useStore<Selected>(select: (state: State) => Selected): Selected {
  const { store } = useWire();
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

interface QueryOptions {
  /** Asked again when one of these changes. */
  topic?: Topic | Topic[];
  /** False: not yet. */
  isEnabled?: boolean;
  /** The last answer stays while other params are asked for. */
  isKept?: boolean;
}

export interface Query<Result> {
  /** The latest answer to these params; stays while it is asked again. */
  data: Result | undefined;
  problem: Problem | undefined;
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: version and round say when to ask again.
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
  const refetch = useCallback(() => setRound((before) => before + 1), []);
  const isAnswered = isKept || answer.text === text;
  return {
    data: isAnswered ? (answer.data as ResultOf<Name> | undefined) : undefined,
    problem: isAnswered ? answer.problem : undefined,
    refetch,
  };
}

type Queries<Results> = { [Name in keyof Results]: Query<Results[Name]> };

/** Several queries as one: its data are there when all are. */
export function joinQueries<Results extends object>(queries: Queries<Results>): Query<Results> {
  const all = Object.entries<Query<unknown>>(queries);
  const isComplete = all.every(([, { data }]) => data !== undefined);
  return {
    data: isComplete
      ? (Object.fromEntries(all.map(([name, { data }]) => [name, data])) as Results)
      : undefined,
    problem: all.find(([, { problem }]) => problem !== undefined)?.[1].problem,
    refetch: () => {
      for (const [, query] of all) query.refetch();
    },
  };
}

interface Mutation<Name extends OperationName> {
  run(params: ParamsOf<Name>): Promise<Outcome<ResultOf<Name>>>;
  isRunning: boolean;
  /** Why the latest run failed. */
  problem: Problem | undefined;
  clear(): void;
}

interface MutationOptions<Result> {
  /** The form shows a failure itself; otherwise a toast does. */
  isQuiet?: boolean;
  /** The toast after success. */
  done?: (result: Result) => Toast;
}

export function useMutation<Name extends OperationName>(
  method: Name,
  { isQuiet = false, done }: MutationOptions<ResultOf<Name>> = {},
): Mutation<Name> {
  const { connection } = useWire();
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
    [connection, method, isQuiet],
  );
  return { run, isRunning: running > 0, problem, clear: useCallback(() => setProblem(undefined), []) };
}

const phraseCatalogues: Record<Language, () => Promise<PhraseCatalogue>> = {
  en: async () => (await import("../../../src/i18n/en/phrases/index.ts")).englishPhrases,
  "zh-CN": async () => (await import("../../../src/i18n/zh/phrases/index.ts")).chinesePhrases,
};

/** Renders phrases of the gateway in the language of the page; "" until the catalogue is loaded. */
export function useSay(): (phrase: Phrase) => string {
  const { language } = usePreferences();
  const program = useStore((state) => state.command);
  const [catalogue, setCatalogue] = useState<PhraseCatalogue>();
  useEffect(() => {
    let isCurrent = true;
    void phraseCatalogues[language]().then((loaded) => isCurrent && setCatalogue(loaded));
    return () => {
      isCurrent = false;
    };
  }, [language]);
  return useCallback(
    (phrase) => {
      if (catalogue === undefined) return "";
      // A newer gateway may send codes that this page does not know.
      return isPhraseCode(phrase.code, catalogue)
        ? renderPhrase(phrase, catalogue, { program })
        : phrase.code;
    },
    [catalogue, program],
  );
}
