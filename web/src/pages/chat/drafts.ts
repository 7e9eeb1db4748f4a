// What was begun and not sent, kept for each conversation as long as the tab lives.
const longestDraft = 200_000;
const nameOf = (sessionKey: string | undefined) => `nanobot.draft.${sessionKey ?? ""}`;

export function readDraft(sessionKey: string | undefined): string {
  return sessionStorage.getItem(nameOf(sessionKey)) ?? "";
}

export function keepDraft(sessionKey: string | undefined, text: string): void {
  if (text === "" || text.length > longestDraft) sessionStorage.removeItem(nameOf(sessionKey));
  else sessionStorage.setItem(nameOf(sessionKey), text);
}
