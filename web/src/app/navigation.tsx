// Navigation between pages: a rail at the side, a bar at the bottom of a phone, and the menu with everything else.
import { Ellipsis, Keyboard, type LucideIcon } from "lucide-react";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { ChoiceField, Tabs } from "../components/field.tsx";
import { useQuery, useStore } from "../wire/hooks.tsx";
import { useWaitingChats } from "./attention.tsx";
import { useNotifications } from "./notifications.ts";
import { usePreferences, useWords } from "./preferences.tsx";
import { Link, toPath } from "./router.tsx";
import { mainPages, type Route } from "./routes.ts";

interface NavigationProps {
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
      <img src="./icon.svg" alt="nanobot" className="mx-auto mb-3 size-8" />
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
        .filter(({ page }) => mainPages.includes(page))
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
      <span className="relative">
        <Icon aria-hidden className="size-5" strokeWidth={1.75} />
        {page === "chat" && <WaitingCount />}
      </span>
      {words.pages[page]}
    </Link>
  );
}

function WaitingCount() {
  const words = useWords().shell;
  const count = useWaitingChats();
  if (count === 0) return null;
  return (
    <span
      role="img"
      aria-label={words.waiting(count)}
      className="absolute -top-1.5 left-3 min-w-4 rounded-full bg-accent px-1 text-center text-[0.625rem] leading-4 font-semibold text-on-accent"
    >
      {count > 9 ? "9+" : count}
    </span>
  );
}

function NotificationSwitch() {
  const words = useWords().shell;
  const [state, change] = useNotifications();
  return (
    <div className="flex flex-col gap-1">
      <span className="text-small font-medium">{words.notifications}</span>
      {state === "denied" ? (
        <p className="text-tiny text-muted">{words.notificationsDenied}</p>
      ) : (
        <>
          <Tabs
            label={words.notifications}
            tabs={{ on: words.notificationsOn, off: words.notificationsOff }}
            value={state}
            onChange={(next) => void change(next === "on")}
          />
          <p className="text-tiny text-muted">{words.notificationsHint}</p>
        </>
      )}
    </div>
  );
}

/** Leads to another assistant of the same owner; each has a page, and a sign-in, of its own. */
function HomeSwitch() {
  const words = useWords().shell;
  const isOwner = useStore(({ viewer }) => viewer?.role === "owner");
  const { data } = useQuery("homes.list", {}, { topic: "config", isEnabled: isOwner });
  if (data === undefined || data.homes.length < 2) return null;
  return (
    <nav aria-label={words.assistants} className="flex flex-col gap-1">
      <span className="text-small font-medium">{words.assistants}</span>
      {data.homes.map(({ name, path, isRunning }) => (
        <a
          key={path}
          href={path}
          aria-current={path === location.pathname ? "page" : undefined}
          className={`rounded-card px-3 py-2 text-small ${toneOf(path === location.pathname)}`}
        >
          {name || words.firstAssistant}
          {!isRunning && <span className="text-tiny"> · {words.notRunning}</span>}
        </a>
      ))}
    </nav>
  );
}

interface MenuDialogProps {
  routes: Route[];
  onClose(): void;
  onShortcuts(): void;
}

export function MenuDialog({ routes, onClose, onShortcuts }: MenuDialogProps) {
  const words = useWords().shell;
  const { theme, setTheme, language, setLanguage } = usePreferences();
  return (
    <Dialog title={words.menu} onClose={onClose} width="narrow">
      <div className="flex flex-col gap-5">
        <nav aria-label={words.navigation} className="grid grid-cols-3 gap-1 md:hidden">
          {routes.map(({ page, icon: Icon }) => (
            <Link
              key={page}
              to={toPath(page)}
              onClick={onClose}
              className="flex flex-col items-center gap-1 rounded-card p-3 text-tiny hover:bg-raised"
            >
              <Icon aria-hidden className="size-5" />
              {words.pages[page]}
            </Link>
          ))}
        </nav>
        <HomeSwitch />
        <div className="flex flex-col gap-1">
          <span className="text-small font-medium">{words.theme}</span>
          <Tabs label={words.theme} tabs={words.themes} value={theme} onChange={setTheme} />
        </div>
        <ChoiceField
          label={words.language}
          value={language}
          options={{ en: "English", "zh-CN": "简体中文" }}
          onChange={setLanguage}
        />
        <NotificationSwitch />
        <Button icon={Keyboard} className="max-md:hidden" onClick={onShortcuts}>
          {words.shortcuts}
        </Button>
      </div>
    </Dialog>
  );
}
