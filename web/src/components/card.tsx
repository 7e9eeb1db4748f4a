// The frame of a page and the boxes on it: cards, sections, lists, badges.
import { type ReactNode, useState } from "react";
import { useWords } from "../app/preferences.tsx";
import { useTabTitle } from "../app/router.tsx";
import type { Words } from "../words/index.ts";
import { Button } from "./button.tsx";

export function Card({ className = "", children }: { className?: string; children: ReactNode }) {
  return <div className={`rounded-card border border-line bg-surface ${className}`}>{children}</div>;
}

interface PageProps {
  /** Its title is in the texts of the frame. */
  name: Exclude<keyof Words["shell"]["pages"], "chat">;
  about: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of every page except the chat: heading, description, actions, and a scrolling column. */
export function Page({ name, about, actions, children }: PageProps) {
  const title = useWords().shell.pages[name];
  useTabTitle(title);
  return (
    <div className="h-full overflow-y-auto [scrollbar-gutter:stable]">
      <div className="mx-auto flex w-full max-w-5xl flex-col gap-6 px-4 py-6 md:px-10 md:py-10">
        <header className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0">
            <h1 className="text-title font-semibold tracking-tight">{title}</h1>
            <p className="mt-1 max-w-prose text-muted">{about}</p>
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

interface SectionProps {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}

export function Section({ title, aside, children }: SectionProps) {
  return (
    <Card className="min-w-0 p-5">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="font-semibold">{title}</h2>
        {aside}
      </div>
      {children}
    </Card>
  );
}

interface ListCardProps<Item> {
  title?: string;
  about?: string;
  items: readonly Item[];
  /** How many are shown at first. */
  first?: number;
  /** Shown when there are no items. */
  empty?: ReactNode;
  className?: string;
  /** A row. */
  children(item: Item): ReactNode;
}

export function ListCard<Item>(props: ListCardProps<Item>) {
  const { title, about, items, first = 50, empty, className = "", children } = props;
  const words = useWords().shell;
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, first);
  return (
    <Card className={className}>
      {title && (
        <div className="border-b border-line px-5 py-3">
          <h2 className="font-semibold">{title}</h2>
          {about && <p className="text-small text-muted">{about}</p>}
        </div>
      )}
      {shown.length === 0 ? empty : <ul className="divide-y divide-line">{shown.map(children)}</ul>}
      {items.length > shown.length && (
        <div className="border-t border-line p-2 text-center">
          <Button tone="quiet" size="small" onClick={() => setIsWhole(true)}>
            {words.showAll(items.length)}
          </Button>
        </div>
      )}
    </Card>
  );
}
