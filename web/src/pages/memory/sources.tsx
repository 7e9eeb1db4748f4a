// The facts of a file, one by one: where each comes from, and a button that deletes it.
import { Brain, Trash2 } from "lucide-react";
import { useState } from "react";
import type { MemoryFact, MemoryPlace } from "../../../../src/api/memory/memory.ts";
import { useTopic } from "../../app/preferences.tsx";
import { Link, toPath } from "../../app/router.tsx";
import { IconButton } from "../../components/button.tsx";
import { Badge } from "../../components/card.tsx";
import { Time } from "../../components/format.tsx";
import { EmptyState, Loaded } from "../../components/states.tsx";
import { Marked } from "../../components/text.tsx";
import { useQuery } from "../../wire/hooks.tsx";
import * as memoryTexts from "../../words/memory.ts";
import { toMessagePath, useSessionNames } from "../chat/sessions/sessions.ts";

interface FactListProps {
  text: string;
  /** By the number of its line. */
  onRemove(index: number): void;
}

export function FactList({ text, onRemove }: FactListProps) {
  const words = useTopic(memoryTexts);
  const [chosen, setChosen] = useState<number>();
  const facts = listFacts(text);
  if (!facts.some(({ isHeading }) => !isHeading)) return <EmptyState icon={Brain} title={words.noFacts} />;
  return (
    <>
      <p className="mb-3 text-small text-muted">{words.factsHint}</p>
      <ul className="flex flex-col gap-0.5">
        {facts.map(({ index, fact, isHeading }) => {
          const key = `${index} ${fact}`;
          if (isHeading)
            return (
              <li key={key} className="mt-3 px-2.5 font-medium">
                {fact}
              </li>
            );
          const isChosen = chosen === index;
          return (
            <li key={key}>
              <div
                className={`flex items-start gap-1 rounded-control ${isChosen ? "bg-accent-soft" : "hover:bg-raised"}`}
              >
                <button
                  type="button"
                  aria-expanded={isChosen}
                  onClick={() => setChosen(isChosen ? undefined : index)}
                  className="min-w-0 flex-1 rounded-control px-2.5 py-1.5 text-left break-words"
                >
                  {fact}
                </button>
                <IconButton
                  label={words.removeFact(fact)}
                  title={words.removeFact("").replace(/[:：]\s*$/, "")}
                  icon={Trash2}
                  onClick={() => onRemove(index)}
                />
              </div>
              {isChosen && <Explanation line={fact} />}
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** The lines that say something, and the headings above them; not the empty fields of a template. */
function listFacts(text: string): Array<{ index: number; fact: string; isHeading: boolean }> {
  const lines = text.split("\n").map((line, index) => {
    const isHeading = line.trim().startsWith("#");
    return { index, fact: line.trim().replace(isHeading ? /^#+\s*/ : /^[-*+]\s+/, ""), isHeading };
  });
  // A line of the template that nobody has filled in, such as `Language:` or `Length: (brief / detailed)`, is no fact.
  const isOpen = /[:：]\s*(?:\([^()]* \/ [^()]*\))?$/;
  const said = lines.filter(({ fact, isHeading }) => isHeading || (fact !== "" && !isOpen.test(fact)));
  return said.filter(({ isHeading }, at) => !isHeading || said[at + 1]?.isHeading === false);
}

function Explanation({ line }: { line: string }) {
  const words = useTopic(memoryTexts).why;
  const query = useQuery("memory.why", { text: line.slice(0, 2_000) });
  return (
    <div className="my-2 ml-2.5 flex flex-col gap-3 border-l-2 border-accent pl-4 text-small">
      <Loaded query={query} lines={2}>
        {({ facts, similar }) => (
          <>
            {leaveUnknown(facts).map((fact) => (
              <Fact key={`${fact.record.at} ${fact.record.file} ${fact.record.line}`} fact={fact} />
            ))}
            {facts.length === 0 && <p className="text-muted">{words.nothing}</p>}
            {similar.length > 0 && (
              <div>
                <p className="mb-1 text-muted">{words.similar}</p>
                <PlaceList places={similar} />
              </div>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

/** Leaves out unknown sources where others are known. */
function leaveUnknown(facts: MemoryFact[]): MemoryFact[] {
  const known = facts.filter(({ writtenBy }) => writtenBy !== "unknown");
  return known.length > 0 ? known : facts.slice(0, 1);
}

function Fact({ fact }: { fact: MemoryFact }) {
  const words = useTopic(memoryTexts).why;
  const { record, writtenBy, sources } = fact;
  const { at, labels = [] } = record;
  return (
    <div>
      <p className="flex flex-wrap items-center gap-x-2">
        {words[writtenBy]}
        {at > 0 && <Time at={at} className="text-muted" />}
        {labels.length > 0 && <Badge tone="warn">{words.labels(labels.join(", "))}</Badge>}
      </p>
      {sources.length === 0 && writtenBy !== "unknown" && <p className="text-muted">{words.gone}</p>}
      {sources.length > 0 && (
        <>
          <p className="mt-2 mb-1 text-muted">{words.sources}</p>
          <PlaceList places={sources} />
        </>
      )}
    </div>
  );
}

export function PlaceList({ places }: { places: MemoryPlace[] }) {
  const words = useTopic(memoryTexts);
  const nameOf = useSessionNames();
  return (
    <ul className="flex flex-col gap-1">
      {places.map((place) => {
        const { kind, name, entryId = "", at, text, why } = place;
        const who = place.speaker || place.role;
        const target = toTarget(place);
        const body = (
          <>
            <span className="flex flex-wrap items-baseline gap-x-2 text-tiny text-muted">
              <span className="font-medium">{words.who[who] ?? who}</span>
              <span className="truncate">{kind === "session" ? nameOf(name) : name}</span>
              {at > 0 && <Time at={at} />}
              {why?.reasons.map((reason) => (
                <Badge key={reason}>{words.reasons[reason]}</Badge>
              ))}
            </span>
            <span className="line-clamp-3 text-small break-words">
              <Marked text={text} marks={why?.marks ?? []} />
            </span>
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

/** The address of the message or file; documents and summaries have none. */
function toTarget({ kind, name, entryId }: MemoryPlace): string | undefined {
  if (kind === "memory" || kind === "note") return toFilePath(name);
  return kind === "session" ? toMessagePath({ sessionKey: name, entryId }) : undefined;
}

export function toFilePath(path: string): string {
  return toPath("memory", "files", ...path.split("/"));
}
