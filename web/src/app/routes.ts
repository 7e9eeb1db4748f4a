// The pages: address, name, icon, and where their code is. A row for each, in the order of the menu.
import {
  Brain,
  CalendarClock,
  ChartNoAxesColumn,
  Layers,
  type LucideIcon,
  MessageCircle,
  Puzzle,
  RadioTower,
  ScrollText,
  Settings,
} from "lucide-react";
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import type { Words } from "../words/index.ts";

export interface Route {
  /** First part of the address, and the name in `words.shell.pages`. */
  page: keyof Words["shell"]["pages"];
  icon: LucideIcon;
  view: LazyExoticComponent<ComponentType>;
  /** Guests see it, too. */
  isForGuests?: boolean;
  /** In the bar at the bottom of a phone; the others are behind "More". */
  isMain?: boolean;
}

export const routes: Route[] = [
  {
    page: "chat",
    icon: MessageCircle,
    view: lazy(() => import("../pages/chat/chat-page.tsx").then(({ ChatPage }) => ({ default: ChatPage }))),
    isForGuests: true,
    isMain: true,
  },
  {
    page: "memory",
    icon: Brain,
    view: lazy(() =>
      import("../pages/memory/memory-page.tsx").then(({ MemoryPage }) => ({ default: MemoryPage })),
    ),
    isForGuests: true,
    isMain: true,
  },
  {
    page: "context",
    icon: Layers,
    view: lazy(() =>
      import("../pages/context/context-page.tsx").then(({ ContextPage }) => ({ default: ContextPage })),
    ),
  },
  {
    page: "usage",
    icon: ChartNoAxesColumn,
    view: lazy(() =>
      import("../pages/usage/usage-page.tsx").then(({ UsagePage }) => ({ default: UsagePage })),
    ),
  },
  {
    page: "schedule",
    icon: CalendarClock,
    view: lazy(() =>
      import("../pages/schedule/schedule-page.tsx").then(({ SchedulePage }) => ({ default: SchedulePage })),
    ),
    isMain: true,
  },
  {
    page: "skills",
    icon: Puzzle,
    view: lazy(() =>
      import("../pages/skills/skills-page.tsx").then(({ SkillsPage }) => ({ default: SkillsPage })),
    ),
  },
  {
    page: "channels",
    icon: RadioTower,
    view: lazy(() =>
      import("../pages/channels/channels-page.tsx").then(({ ChannelsPage }) => ({ default: ChannelsPage })),
    ),
  },
  {
    page: "settings",
    icon: Settings,
    view: lazy(() =>
      import("../pages/settings/settings-page.tsx").then(({ SettingsPage }) => ({ default: SettingsPage })),
    ),
  },
  {
    page: "logs",
    icon: ScrollText,
    view: lazy(() => import("../pages/logs/logs-page.tsx").then(({ LogsPage }) => ({ default: LogsPage }))),
  },
];
