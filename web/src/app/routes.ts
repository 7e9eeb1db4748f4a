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
    view: view(() => import("../pages/chat/chat-page.tsx"), "ChatPage"),
    isForGuests: true,
    isMain: true,
  },
  {
    page: "memory",
    icon: Brain,
    view: view(() => import("../pages/memory/memory-page.tsx"), "MemoryPage"),
    isForGuests: true,
    isMain: true,
  },
  {
    page: "context",
    icon: Layers,
    view: view(() => import("../pages/context/context-page.tsx"), "ContextPage"),
  },
  {
    page: "usage",
    icon: ChartNoAxesColumn,
    view: view(() => import("../pages/usage/usage-page.tsx"), "UsagePage"),
  },
  {
    page: "schedule",
    icon: CalendarClock,
    view: view(() => import("../pages/schedule/schedule-page.tsx"), "SchedulePage"),
    isMain: true,
  },
  { page: "skills", icon: Puzzle, view: view(() => import("../pages/skills/skills-page.tsx"), "SkillsPage") },
  {
    page: "channels",
    icon: RadioTower,
    view: view(() => import("../pages/channels/channels-page.tsx"), "ChannelsPage"),
  },
  {
    page: "settings",
    icon: Settings,
    view: view(() => import("../pages/settings/settings-page.tsx"), "SettingsPage"),
  },
  { page: "logs", icon: ScrollText, view: view(() => import("../pages/logs/logs-page.tsx"), "LogsPage") },
];

export function view<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): Route["view"] {
  return lazy(async () => ({ default: (await load())[name] }));
}
