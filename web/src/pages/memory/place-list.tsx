// Things that were said or written, each with a link to where it stands.
import type { MemoryPlace } from "../../../../src/api/memory/memory.ts";
import { Link, toPath } from "../../app/router.tsx";
import { Time } from "../../components/time.tsx";
import { useWords } from "../../words/use-words.ts";
import { useSessionNames } from "../chat/use-session-names.ts";

export function PlaceList({ places }: { places: MemoryPlace[] }) {
  const words = useWords().memory;
  const nameOf = useSessionNames();
  return (
    <ul className="flex flex-col gap-1">
      {places.map((place) => {
        const { kind, name, entryId = "", at, text } = place;
        const who = place.speaker || place.role;
        const target = toTarget(place);
        const body = (
          <>
            <span className="flex flex-wrap items-baseline gap-x-2 text-tiny text-muted">
              <span className="font-medium">{words.who[who] ?? who}</span>
              <span className="truncate">{kind === "session" ? nameOf(name) : name}</span>
              {at > 0 && <Time at={at} />}
            </span>
            <span className="line-clamp-3 text-small break-words">{text}</span>
          </>
        );
        return (
          <li key={`${kind} ${name} ${entryId} ${at} ${text}`}>
            {target === undefined ? (
              <div className="px-2.5 py-1.5">{body}</div>
            ) : (
              <Link to={target} className="block rounded-control px-2.5 py-1.5 hover:bg-raised">
                {body}
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The message in its conversation, or the file; documents and summaries have no page. */
function toTarget({ kind, name, entryId }: MemoryPlace): string | undefined {
  if (kind === "memory" || kind === "note") return toFilePath(name);
  if (kind !== "session") return undefined;
  const chat = toPath("chat", name);
  return entryId === undefined ? chat : `${chat}?at=${encodeURIComponent(entryId)}`;
}

export function toFilePath(path: string): string {
  return toPath("memory", "files", ...path.split("/"));
}
