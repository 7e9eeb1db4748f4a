// Who may import whom: downwards only, and the few extra rules of the house. Prints nothing; returns problems.
import { mayOpenFiles, notMovedYet } from "./file-access.ts";
import { channels, pythonFiles, rooms, sessionFiles } from "./rooms.ts";
import { type Import, resolveImport, roomOf, type Source } from "./sources.ts";

const rank = new Map(rooms.map((room, index) => [room.name, index]));
const only = new Map(rooms.map((room) => [room.name, room.only]));

export function findDirectionProblems(sources: Source[]): string[] {
  const products = sources.filter((source) => !source.isTest);
  return products.flatMap((source) => (source.room === "web" ? webProblems(source) : problemsOf(source)));
}

/** The browser shares coded sentences and the form of session keys, and knows the rest only by types of the wire and the operations. */
function webProblems(source: Source): string[] {
  return source.imports.flatMap(({ target, clause }) => {
    const path = resolveImport(source, target);
    if (path === undefined || path.startsWith("web/")) return [];
    const isShared = /^src\/(bus\/session-key\.ts$|i18n\/(phrase\.ts$|(en|zh)\/phrases\/))/.test(path);
    const isTyped =
      /^src\/(api\/|server\/protocol\.ts$)/.test(path) && /^(import|export) type\b/.test(clause);
    return isShared || isTyped
      ? []
      : [
          `${source.path}: web/ sees only coded sentences, session keys and types of src/api and src/server/protocol, not ${path}`,
        ];
  });
}

function problemsOf(source: Source): string[] {
  const problems = rank.has(source.room)
    ? source.imports.flatMap((imported) => importProblem(source, imported) ?? [])
    : [`"${source.room}" is not a room; add it to scripts/rooms.ts`];
  const isComputed = /(?<!\.)\bimport\s*\((?!\s*")/.test(source.code);
  if (isComputed && source.path !== "src/guards/import-trusted.ts") {
    problems.push("import() of a computed name: neither the bundle nor this check can follow it");
  }
  if (/\bimport\.meta\b/.test(source.code) && source.path !== "src/lib/package-root.ts") {
    problems.push(
      "import.meta moves in a bundle (import.meta.url and the like); only lib/package-root.ts uses it",
    );
  }
  return problems.map((problem) => `${source.path}: ${problem}`);
}

function importProblem(source: Source, { target, clause }: Import): string | undefined {
  const isSlice = /^src\/(?!config\/)[^/]+\/config\.ts$/.test(source.path);
  if (isSlice && target !== "zod") return `a room's config.ts imports only zod, not ${target}`;
  const path = resolveImport(source, target);
  if (path === undefined) return packageProblem(source, { target, clause });
  return (
    roomProblem(source, path) ?? sessionProblem(source, path, clause) ?? pythonProblem(source.path, path)
  );
}

function pythonProblem(from: string, path: string): string | undefined {
  const { folder, importers } = pythonFiles;
  if (!path.startsWith(folder) || from.startsWith(folder) || importers.includes(from)) return undefined;
  return `only the start and the readers of old formats know the Python original (${path})`;
}

function sessionProblem(source: Source, path: string, clause: string): string | undefined {
  const { folder, open } = sessionFiles;
  if (source.room === "storage" || !path.startsWith(folder) || /^(import|export) type\b/.test(clause))
    return undefined;
  const name = path.slice(folder.length);
  return open.includes(name) ? undefined : `only storage/ knows how a session is stored (${path})`;
}

/** What is imported from outside hands on all of zod. */
const handsOnZod = ["src/index.ts", "src/tools/tool-kit.ts"];

const openers = new Set([...Object.values(mayOpenFiles).flat(), ...notMovedYet]);

/** Whether it opens files itself; types of what is opened by others are no matter. */
export function opensFiles({ imports }: Source): boolean {
  return imports.some(
    ({ target, clause }) =>
      /^node:(fs|fs\/promises|sqlite)$/.test(target) && !/^(import|export) type\b/.test(clause),
  );
}

function packageProblem(source: Source, { target, clause }: Import): string | undefined {
  const { path } = source;
  const isFile = opensFiles({ ...source, imports: [{ target, clause }] });
  if (isFile && source.room !== "storage" && !openers.has(path))
    return "opens files itself; what is in the home goes through storage/ (scripts/file-access.ts lists what does not)";
  const isWholeZod = /^zod(\/|$)/.test(target) && !/^import (type )?\* as z from$/.test(clause);
  return isWholeZod && !handsOnZod.includes(path)
    ? 'write `import * as z from "zod"`: other forms bundle all of zod'
    : undefined;
}

function roomProblem(source: Source, path: string): string | undefined {
  const room = roomOf(path);
  const [from, to] = [rank.get(source.room), rank.get(room)];
  if (from === undefined || to === undefined) return `imports ${path}, which is outside the rooms`;
  const isSliceForSchema = source.room === "config" && /^src\/[^/]+\/config\.ts$/.test(path);
  if (to < from && !isSliceForSchema) return `imports upwards, from ${room}/ (${path})`;
  const allowed = only.get(source.room);
  if (room !== source.room && allowed && !allowed.includes(room)) {
    return `${source.room}/ sees only ${allowed.join(" and ")}, not ${room}/`;
  }
  return room === "channels" ? channelProblem(source, path) : undefined;
}

function channelProblem(source: Source, path: string): string | undefined {
  const to = channelName(path);
  if (channels.shared.includes(to) || to === channels.list) return undefined;
  if (source.room !== "channels") return `names a channel (${path}); channels are known as data only`;
  const from = channelName(source.path);
  return from === to || from === channels.list ? undefined : `one channel never sees another (${path})`;
}

/** Of src/channels/telegram.ts and of src/channels/telegram/send.ts: telegram. */
function channelName(path: string): string {
  return path.split("/")[2]?.replace(/\.ts$/, "") ?? "";
}
