// The pages in the order of the menu: address, icon, and where their code is.
import {
  Brain,
  CalendarClock,
  ChartNoAxesColumn,
  Files,
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

type View = LazyExoticComponent<ComponentType>;

export interface Route {
  /** First part of the address, and the name in `words.shell.pages`. */
  page: keyof Words["shell"]["pages"];
  icon: LucideIcon;
  view: View;
}

export const routes: Route[] = [
  route("chat", MessageCircle, () => import("../pages/chat/chat-page.tsx"), "ChatPage"),
  route("files", Files, () => import("../pages/files/files-page.tsx"), "FilesPage"),
  route("memory", Brain, () => import("../pages/memory/memory-page.tsx"), "MemoryPage"),
  route("context", Layers, () => import("../pages/context/context-page.tsx"), "ContextPage"),
  route("usage", ChartNoAxesColumn, () => import("../pages/usage/usage-page.tsx"), "UsagePage"),
  route("schedule", CalendarClock, () => import("../pages/schedule/schedule-page.tsx"), "SchedulePage"),
  route("skills", Puzzle, () => import("../pages/skills/skills-page.tsx"), "SkillsPage"),
  route("channels", RadioTower, () => import("../pages/channels/channels-page.tsx"), "ChannelsPage"),
  route("settings", Settings, () => import("../pages/settings/settings-page.tsx"), "SettingsPage"),
  route("logs", ScrollText, () => import("../pages/logs/logs-page.tsx"), "LogsPage"),
];

export const guestPages: Array<Route["page"]> = ["chat", "files", "memory"];
/** In the bar at the bottom of a phone; the others are behind "More". */
export const mainPages: Array<Route["page"]> = ["chat", "memory", "schedule"];

/** Shown instead of the pages. */
export const startViews = {
  "sign-in": view(() => import("../pages/start/sign-in-page.tsx"), "SignInPage"),
  welcome: view(() => import("../pages/start/welcome-page.tsx"), "WelcomePage"),
};

type Load<Name extends string> = () => Promise<Record<Name, ComponentType>>;

function route<Name extends string>(
  page: Route["page"],
  icon: LucideIcon,
  load: Load<Name>,
  name: Name,
): Route {
  return { page, icon, view: view(load, name) };
}

function view<Name extends string>(load: Load<Name>, name: Name): View {
  return lazy(async () => ({ default: (await load())[name] }));
}
