// Keeps the shell of the page so that it opens at once, and without a connection. Never anything of /api.
/** Of this home: others may lie below other paths. */
const base = new URL("./", self.location.href).pathname;
const shell = `nanobot-shell-1${base}`;
const extras = ["theme.js", "icon.svg"].map((name) => base + name);

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
  const { method, url, mode } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== self.location.origin) return;
  const isPage = mode === "navigate" && pathname === base;
  if (isPage || extras.includes(pathname)) event.respondWith(networkFirst(event.request, pathname));
  if (pathname.startsWith(`${base}assets/`)) event.respondWith(cacheFirst(event.request));
});

async function takeOver() {
  for (const name of await caches.keys()) if (!name.startsWith("nanobot-shell-1/")) await caches.delete(name);
  await self.clients.claim();
}

async function networkFirst(request, path) {
  const cache = await caches.open(shell);
  try {
    const answer = await fetch(request);
    if (answer.ok && path === base) await keepPage(cache, answer.clone());
    else if (answer.ok) await cache.put(path, answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(path);
    if (kept === undefined) throw error;
    return kept;
  }
}

/** A page of another build names other files: those of the former are dropped with it. */
async function keepPage(cache, answer) {
  const former = await (await cache.match(base))?.text();
  const isNew = former !== undefined && former !== (await answer.clone().text());
  if (isNew) for (const request of await cache.keys()) await cache.delete(request);
  await cache.put(base, answer);
}

/** Names carry a hash of what they hold. */
async function cacheFirst(request) {
  const cache = await caches.open(shell);
  const kept = await cache.match(request);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

/** A notification leads to its conversation, in the page that is open. */
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data.path));
});

async function show(path) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find(({ url }) => new URL(url).pathname === base);
  if (page === undefined) return self.clients.openWindow(base + path);
  await page.focus();
  page.postMessage({ path });
}
