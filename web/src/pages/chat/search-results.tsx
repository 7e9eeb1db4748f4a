// Messages of all conversations that fit; each leads to its place.
import { Link } from "../../app/router.tsx";
import { ErrorState, SkeletonLines } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";
import { toSource } from "./recalled-list.tsx";
import { useSessionNames } from "./use-session-names.ts";

export function SearchResults({ query, onChosen }: { query: string; onChosen(): void }) {
  const words = useWords().chat;
  const nameOf = useSessionNames();
  const { data, problem, refetch } = useQuery("chat.search", { query, limit: 30 });
  if (problem !== undefined) return <ErrorState message={problem.message} onRetry={refetch} />;
  if (data === undefined) return <SkeletonLines count={5} />;
  if (data.found.length === 0) return <p className="px-2 py-4 text-small text-muted">{words.noMatches}</p>;
  return (
    <ul className="flex flex-col gap-1">
      {data.found.map((found) => (
        <li key={`${found.sessionKey} ${found.entryId} ${found.at}`}>
          <Link
            to={toSource(found)}
            onClick={onChosen}
            className="block rounded-control px-2 py-1.5 hover:bg-raised"
          >
            <span className="flex items-baseline justify-between gap-2">
              <span className="truncate text-small font-medium">
                {found.title || nameOf(found.sessionKey)}
              </span>
              <Time at={found.at} className="shrink-0 text-tiny text-muted" />
            </span>
            <span className="line-clamp-2 text-tiny text-muted">
              <Marked text={found.text} query={query} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Marked({ text, query }: { text: string; query: string }) {
  const at = text.toLowerCase().indexOf(query.toLowerCase());
  if (at < 0) return text;
  const start = Math.max(0, at - 40);
  return (
    <>
      {start > 0 && "…"}
      {text.slice(start, at)}
      <mark className="rounded bg-accent-soft text-accent">{text.slice(at, at + query.length)}</mark>
      {text.slice(at + query.length)}
    </>
  );
}
