// The lines of the log, followed for as long as the page is shown: the latest ones, and those that come.
import { useEffect, useState } from "react";
import type { Problem } from "../../../../src/server/protocol.ts";
import { useStore, useWire } from "../../wire/wire-context.tsx";

export interface Log {
  lines: readonly string[] | undefined;
  problem: Problem | undefined;
}

export function useLog(): Log {
  const { connection, store } = useWire();
  const isOnline = useStore((state) => state.link === "online");
  const added = useStore((state) => state.logs);
  const [begun, setBegun] = useState<{ lines: string[]; last: string | undefined }>();
  const [problem, setProblem] = useState<Problem>();
  // A new connection follows nothing: it is asked again with each.
  useEffect(() => {
    if (!isOnline) return;
    void connection.ask("logs.follow", { isOn: true }).then((outcome) => {
      if (outcome.ok) setBegun({ lines: outcome.result.lines, last: store.get().logs.at(-1) });
      setProblem(outcome.ok ? undefined : outcome.problem);
    });
    return () => void connection.ask("logs.follow", { isOn: false });
  }, [connection, store, isOnline]);
  if (begun === undefined) return { lines: undefined, problem };
  const since = begun.last === undefined ? added : added.slice(added.lastIndexOf(begun.last) + 1);
  return { lines: [...begun.lines, ...since], problem };
}
