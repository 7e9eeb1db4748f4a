// The config with what was changed in the forms and not saved yet.
import { useCallback, useMemo, useState } from "react";
import type { ConfigChange } from "../../../../src/api/config/config.ts";
import type { ConfigSnapshot } from "../../../../src/api/config/snapshot.ts";
import type { Problem } from "../../../../src/server/protocol.ts";
import { useMutation } from "../../wire/use-mutation.ts";
import { type Query, useQuery } from "../../wire/use-query.ts";
import { getIn } from "./schema.ts";

export type { ConfigSnapshot } from "../../../../src/api/config/snapshot.ts";

export interface Settings {
  query: Query<ConfigSnapshot>;
  changes: ConfigChange[];
  isSaving: boolean;
  problem: Problem | undefined;
  /** As it will be: what was typed, or what the file says, or what holds without it. */
  valueOf(path: string[]): unknown;
  /** The file says something about it, or will. */
  isOwn(path: string[]): boolean;
  isChanged(path: string[]): boolean;
  problemOf(path: string[]): string | undefined;
  /** Null: back to the default. */
  change(path: string[], value: unknown): void;
  discard(): void;
  /** What is in force then; undefined when nothing was saved. */
  save(): Promise<ConfigSnapshot | undefined>;
}

const keyOf = (path: string[]) => JSON.stringify(path);

export function useSettings(): Settings {
  const query = useQuery("config.read", {}, { topic: "config" });
  const patch = useMutation("config.patch", { isQuiet: true });
  const [draft, setDraft] = useState<ReadonlyMap<string, ConfigChange>>(new Map());
  const { file, values } = query.data ?? {};
  const changes = useMemo(() => [...draft.values()], [draft]);
  const inFile = (path: string[]) => {
    const changed = draft.get(keyOf(path));
    return changed === undefined ? (getIn(file, path) ?? null) : changed.value;
  };
  const change = useCallback((path: string[], value: unknown) => {
    setDraft((before) => {
      const isBelow = (other: ConfigChange) =>
        other.path.length > path.length && path.every((key, index) => other.path[index] === key);
      const others = [...before].filter(([, other]) => !isBelow(other));
      return new Map(others).set(keyOf(path), { path, value });
    });
  }, []);
  return {
    query,
    changes,
    isSaving: patch.isRunning,
    problem: patch.problem,
    valueOf: (path) => inFile(path) ?? (draft.has(keyOf(path)) ? undefined : getIn(values, path)),
    isOwn: (path) => inFile(path) !== null,
    isChanged: (path) => draft.has(keyOf(path)),
    problemOf: (path) => findProblem(patch.problem, path),
    change,
    discard() {
      setDraft(new Map());
      patch.clear();
    },
    async save() {
      // What was shown and is saved again is meant.
      const unsure = patch.problem?.code === "config.unsure" ? patch.problem.fields : undefined;
      const sure = unsure?.map(({ path }) => path);
      const outcome = await patch.run({ changes, ...(sure && { sure }) });
      if (!outcome.ok) return undefined;
      setDraft(new Map());
      query.refetch();
      return outcome.result;
    },
  };
}

/** Also of what lies below, such as `fallbackModels[0].model`. */
function findProblem(problem: Problem | undefined, path: string[]): string | undefined {
  const place = path.join(".");
  const found = problem?.fields?.find(
    (field) =>
      field.path === place || field.path.startsWith(`${place}.`) || field.path.startsWith(`${place}[`),
  );
  return found?.message;
}
