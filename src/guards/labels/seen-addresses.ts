// Addresses that were in pages and search results of a session, or that were fetched in it. Their writers did not
// know what the assistant knows, so that nothing leaves with a request for one of them.

const mostSessions = 50;
const mostAddresses = 5_000;
const mostInOneText = 1_000;
const address = /https?:\/\/[^\s<>"'`\\^{}|]+/gi;

export class SeenAddresses {
  readonly #sessions = new Map<string, Set<string>>();

  has(sessionKey: string, url: string): boolean {
    const normal = toNormalAddress(url);
    return normal !== undefined && this.#sessions.get(sessionKey)?.has(normal) === true;
  }

  add(sessionKey: string, urls: Iterable<string>): void {
    const seen = this.#sessions.get(sessionKey) ?? new Set();
    this.#sessions.delete(sessionKey);
    this.#sessions.set(sessionKey, seen);
    for (const url of urls) {
      const normal = toNormalAddress(url);
      if (normal === undefined) continue;
      seen.delete(normal);
      seen.add(normal);
      const [oldest] = seen;
      if (seen.size > mostAddresses && oldest !== undefined) seen.delete(oldest);
    }
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > mostSessions && oldest !== undefined) this.#sessions.delete(oldest);
  }
}

/** Those of a text; a bracket or full stop behind one may or may not belong to it, so that both readings count. */
export function findAddresses(text: string): string[] {
  const found: string[] = [];
  for (const [match] of text.matchAll(address)) {
    found.push(match, match.replace(/[)\].,;:!?*_，。；：！？）】》]+$/u, ""));
    if (found.length >= mostInOneText) break;
  }
  return found;
}

/** The same for two spellings of one address; a fragment is never sent. */
export function toNormalAddress(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  parsed.hash = "";
  return parsed.href;
}
