// Which page is shown, from the part of the address behind #: #/chat/<key>?at=<entry>. Knows no page.
import { type ComponentProps, useEffect, useMemo, useSyncExternalStore } from "react";

interface Place {
  /** The first part: which page. */
  page: string;
  /** The parts behind it, decoded. */
  rest: string[];
  query: URLSearchParams;
}

export function parsePlace(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [page = "", ...rest] = path.split("/").filter(Boolean).map(decodePart);
  return { page, rest, query: new URLSearchParams(query) };
}

/** `toPath("chat", "web:1")` is `#/chat/web%3A1`. */
export function toPath(page: string, ...rest: string[]): string {
  return `#/${[page, ...rest].map(encodeURIComponent).join("/")}`;
}

export function navigate(path: string): void {
  location.hash = path;
}

export function usePlace(): Place {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return useMemo(() => parsePlace(hash), [hash]);
}

export function Link({ to, ...rest }: { to: string } & Omit<ComponentProps<"a">, "href">) {
  return <a href={to} {...rest} />;
}

function subscribe(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}

const tab = { title: "nanobot", count: 0 };

/** The title of the browser's tab. */
export function useTabTitle(title: string): void {
  useEffect(() => showTab({ title: `${title} · nanobot` }), [title]);
}

/** How many conversations wait for the person, before the title of the tab. */
export function showTabCount(count: number): void {
  showTab({ count });
}

function showTab(change: Partial<typeof tab>): void {
  Object.assign(tab, change);
  document.title = tab.count > 0 ? `(${tab.count}) ${tab.title}` : tab.title;
}
