// Who may import whom: downwards only, and the few extra rules of the house. Prints nothing; returns problems.
import { mayImportConfig, rooms } from "./rooms.ts";
import { resolveImport, roomOf, type Source } from "./sources.ts";

const rank = new Map(rooms.map((room, index) => [room.name, index]));
const only = new Map(rooms.filter((room) => room.only).map((room) => [room.name, room.only]));

function rankOf(room: string): number {
  return rank.get(room) ?? -1;
}

export function findDirectionProblems(sources: Source[]): string[] {
  return sources.filter((source) => !source.isTest && source.room !== "web").flatMap(problemsOf);
}

function problemsOf(source: Source): string[] {
  if (!rank.has(source.room))
    return [`${source.path}: "${source.room}" is not a room; add it to scripts/rooms.ts`];
  const problems = source.imports.flatMap((target) => importProblem(source, target) ?? []);
  if (/import\s*(type\s*)?\{[^}]*\}\s*from\s*["']zod["']/.test(source.text)) {
    problems.push('write `import * as z from "zod"`: the named form bundles all of zod');
  }
  if (source.text.includes("import.meta.url") && source.path !== "src/lib/package-root.ts") {
    problems.push("import.meta.url moves in a bundle; only lib/package-root.ts may use it");
  }
  return problems.map((problem) => `${source.path}: ${problem}`);
}

function importProblem(source: Source, target: string): string | undefined {
  const path = resolveImport(source, target);
  if (path === undefined) {
    const isSlice = source.path.endsWith("/config.ts") && source.room !== "config";
    return isSlice && target !== "zod" ? `a room's config.ts imports only zod, not ${target}` : undefined;
  }
  const room = roomOf(path);
  if (room === source.room) return siblingChannelProblem(source, path);
  if (!rank.has(room)) return `imports ${path}, which is outside the rooms`;
  if (rankOf(room) < rankOf(source.room)) return `imports upwards, from ${room}/ (${path})`;
  const allowed = only.get(source.room);
  if (allowed && !allowed.includes(room))
    return `${source.room}/ sees only ${allowed.join(" and ")}, not ${room}/`;
  if (room === "config" && !mayImportConfig.includes(source.room))
    return "only app/ and above may import config/";
  return undefined;
}

/** channels/telegram.ts and channels/feishu/ are channels; manager.ts and other shared files may be seen by all. */
function siblingChannelProblem(source: Source, path: string): string | undefined {
  if (source.room !== "channels") return undefined;
  const [from, to] = [channelFolder(source.path), channelFolder(path)];
  return to !== undefined && from !== undefined && from !== to
    ? `one channel never sees another (${path})`
    : undefined;
}

function channelFolder(path: string): string | undefined {
  const parts = path.split("/");
  return parts.length > 3 ? parts[2] : undefined;
}
