// What the gateway was asked for: its skeleton, what went wrong, or what is made of the answer.
import type { ReactNode } from "react";
import type { Query } from "../wire/use-query.ts";
import { ErrorState, SkeletonLines } from "./states.tsx";

export interface LoadedProps<Result> {
  query: Query<Result>;
  /** Of the skeleton. */
  lines?: number;
  children(data: Result): ReactNode;
}

export function Loaded<Result>({ query, lines = 4, children }: LoadedProps<Result>) {
  const { data, problem, refetch } = query;
  if (problem) return <ErrorState message={problem.message} onRetry={refetch} />;
  return data === undefined ? <SkeletonLines count={lines} /> : children(data);
}
