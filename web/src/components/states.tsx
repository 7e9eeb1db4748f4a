// What is shown while something loads, when there is nothing yet, and when it failed.
import { type LucideIcon, RotateCw, TriangleAlert } from "lucide-react";
import { Component, type ReactNode } from "react";
import { useWords } from "../app/preferences.tsx";
import type { Query } from "../wire/hooks.tsx";
import { Button } from "./button.tsx";

export function Skeleton({ className = "" }: { className?: string }) {
  return <div aria-hidden className={`animate-pulse-soft rounded-control bg-raised ${className}`} />;
}

/** Placeholder lines while something loads. */
export function SkeletonLines({ count = 4 }: { count?: number }) {
  const words = useWords().shell;
  return (
    <div role="status" aria-label={words.loading} className="flex flex-col gap-3">
      {Array.from({ length: count }, (_, index) => index).map((line) => (
        <Skeleton key={line} className={`h-5 ${line % 3 === 2 ? "w-1/2" : "w-full"}`} />
      ))}
    </div>
  );
}

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** What to do. */
  children?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-12 text-center">
      <span className="grid size-11 place-items-center rounded-full bg-accent-soft text-accent">
        <Icon aria-hidden className="size-5" />
      </span>
      <p className="font-medium">{title}</p>
      {children && <div className="max-w-prose text-small text-muted">{children}</div>}
      {action}
    </div>
  );
}

export function ErrorState({ message, onRetry }: { message: string; onRetry?: () => void }) {
  const words = useWords().shell;
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-6 py-12 text-center">
      <span className="grid size-11 place-items-center rounded-full bg-bad-soft text-bad">
        <TriangleAlert aria-hidden className="size-5" />
      </span>
      <p className="font-medium">{words.failed}</p>
      <p className="max-w-prose text-small break-words text-muted">{message}</p>
      {onRetry && (
        <Button icon={RotateCw} onClick={onRetry}>
          {words.retry}
        </Button>
      )}
    </div>
  );
}

interface LoadedProps<Result> {
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

interface Props {
  children: ReactNode;
  fallback(error: Error, retry: () => void): ReactNode;
}

export class ErrorBoundary extends Component<Props, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return this.props.fallback(error, () => this.setState({ error: undefined }));
  }
}
