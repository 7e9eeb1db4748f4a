// What was typed into files of memory and not saved: kept over the change to another page as long as the tab lives.
import { useSyncExternalStore } from "react";

/** What is typed, and of which text it is a change. */
export interface Draft {
  text: string;
  hash: string;
}

const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

export function useDraft(path: string): Draft | undefined {
  return useSyncExternalStore(subscribe, () => drafts.get(path));
}

export function keepDraft(path: string, draft: Draft | undefined): void {
  if (draft === undefined) drafts.delete(path);
  else drafts.set(path, draft);
  // The browser asks before the tab goes with something in it that is not saved.
  window.onbeforeunload = drafts.size === 0 ? null : (event) => event.preventDefault();
  for (const listener of listeners) listener();
}

/** What was typed while it was being saved stays, as a change of what is saved now. */
export function settleDraft(path: string, saved: Draft): void {
  const now = drafts.get(path);
  keepDraft(path, now === undefined || now.text === saved.text ? undefined : { ...saved, text: now.text });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
