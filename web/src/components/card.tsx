// A box with a hairline, a page's frame with its heading, and small marks.
import type { ReactNode } from "react";

export function Card({ className = "", children }: { className?: string; children: ReactNode }) {
  return <div className={`rounded-card border border-line bg-surface ${className}`}>{children}</div>;
}

export interface PageProps {
  title: string;
  about?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of every page but the chat: heading, what it is for, what can be done, and a column that scrolls. */
export function Page({ title, about, actions, children }: PageProps) {
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex w-full max-w-5xl flex-col gap-6 px-4 py-6 md:px-10 md:py-10">
        <header className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0">
            <h1 className="text-title font-semibold tracking-tight">{title}</h1>
            {about && <p className="mt-1 max-w-prose text-muted">{about}</p>}
          </div>
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
        {children}
      </div>
    </div>
  );
}

const tones = {
  plain: "bg-raised text-muted",
  accent: "bg-accent-soft text-accent",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
};

export function Badge({ tone = "plain", children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full px-2 text-tiny font-medium whitespace-nowrap ${tones[tone]}`}
    >
      {children}
    </span>
  );
}
