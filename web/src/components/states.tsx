// What stands where something is not there: it loads, there is none yet, or it failed. Each says what to do.
import { type LucideIcon, RotateCw, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useWords } from "../words/use-words.ts";
import { Button } from "./button.tsx";

export function Skeleton({ className = "" }: { className?: string }) {
  return <div aria-hidden className={`animate-pulse-soft rounded-control bg-raised ${className}`} />;
}

/** Lines of a page that loads. */
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

export interface EmptyStateProps {
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
