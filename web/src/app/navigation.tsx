// The way between pages: a rail at the side, or a bar at the bottom of a phone.
import { Ellipsis, type LucideIcon } from "lucide-react";
import { useWords } from "../words/use-words.ts";
import { Link, toPath } from "./router.tsx";
import type { Route } from "./routes.ts";

export interface NavigationProps {
  routes: Route[];
  current: string;
  onMenu(): void;
}

const item =
  "flex flex-col items-center justify-center gap-0.5 rounded-card text-[0.6875rem] leading-4 transition-colors";

function toneOf(isCurrent: boolean): string {
  return isCurrent ? "bg-accent-soft font-medium text-accent" : "text-muted hover:bg-raised hover:text-ink";
}

export function Rail({ routes, current, onMenu }: NavigationProps) {
  const words = useWords().shell;
  return (
    <nav
      aria-label={words.navigation}
      className="hidden w-[76px] shrink-0 flex-col gap-1 overflow-y-auto border-r border-line bg-side px-1.5 py-3 md:flex"
    >
      <img src="/icon.svg" alt="nanobot" className="mx-auto mb-3 size-8" />
      {routes.map(({ page, icon }) => (
        <PageLink
          key={page}
          page={page}
          icon={icon}
          isCurrent={page === current}
          className="h-[52px] shrink-0"
        />
      ))}
      <button type="button" onClick={onMenu} className={`mt-auto h-[52px] shrink-0 ${item} ${toneOf(false)}`}>
        <Ellipsis aria-hidden className="size-5" />
        {words.menu}
      </button>
    </nav>
  );
}

export function BottomBar({ routes, current, onMenu }: NavigationProps) {
  const words = useWords().shell;
  return (
    <nav
      aria-label={words.navigation}
      className="flex shrink-0 gap-1 border-t border-line bg-side px-2 pt-1 pb-[max(0.25rem,env(safe-area-inset-bottom))] md:hidden"
    >
      {routes
        .filter(({ isMain }) => isMain)
        .map(({ page, icon }) => (
          <PageLink key={page} page={page} icon={icon} isCurrent={page === current} className="h-12 flex-1" />
        ))}
      <button type="button" onClick={onMenu} className={`h-12 flex-1 ${item} ${toneOf(false)}`}>
        <Ellipsis aria-hidden className="size-5" />
        {words.more}
      </button>
    </nav>
  );
}

interface PageLinkProps {
  page: Route["page"];
  icon: LucideIcon;
  isCurrent: boolean;
  className: string;
}

function PageLink({ page, icon: Icon, isCurrent, className }: PageLinkProps) {
  const words = useWords().shell;
  return (
    <Link
      to={toPath(page)}
      aria-current={isCurrent ? "page" : undefined}
      className={`${className} ${item} ${toneOf(isCurrent)}`}
    >
      <Icon aria-hidden className="size-5" strokeWidth={1.75} />
      {words.pages[page]}
    </Link>
  );
}
