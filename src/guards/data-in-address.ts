// Whether an address could carry something away: anything in it that is more than a short way through a site, made of
// plain words. A few short words can still be hidden in one; more than that cannot.

const longestName = 24;
const longestPath = 80;
const mostHostNames = 5;
const mostPathNames = 6;

export function carriesData(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null) return true;
  const { hostname, pathname, search, username, password } = parsed;
  if (search !== "" || username !== "" || password !== "" || pathname.includes("%")) return true;
  const hostNames = hostname.split(".");
  const pathNames = pathname.split("/").filter((name) => name !== "");
  if (hostNames.length > mostHostNames || pathNames.length > mostPathNames) return true;
  return pathname.length > longestPath || [...hostNames, ...pathNames].some(isTelling);
}

function isTelling(name: string): boolean {
  const words = name.split(/[-_.~+]/);
  const numbered = words.filter((word) => /\d/.test(word) && /[a-z]/i.test(word));
  return name.length > longestName || numbered.length > 2 || words.some(isCoded);
}

/** Letters and digits mixed as in keys, hashes and encoded text; `v2`, `2026`, `http2` and `getElement` are not. */
function isCoded(word: string): boolean {
  if (/\d{7,}/.test(word)) return true;
  const isMixed = word.length >= 8 && /\d/.test(word) && /[a-z]/i.test(word);
  return isMixed || (word.match(/[a-z][A-Z]/g)?.length ?? 0) >= 4;
}
