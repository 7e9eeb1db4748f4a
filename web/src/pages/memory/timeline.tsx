// The history of memory, newest first, with the differences and undo.
import { History, Undo2 } from "lucide-react";
import { useState } from "react";
import type { Version } from "../../../../src/api/memory/memory.ts";
import { useTopic } from "../../app/preferences.tsx";
import { navigate, toPath } from "../../app/router.tsx";
import { Button } from "../../components/button.tsx";
import { Badge, Card } from "../../components/card.tsx";
import { Diff } from "../../components/code.tsx";
import { Time } from "../../components/format.tsx";
import { EmptyState, Loaded } from "../../components/states.tsx";
import { useMutation, useQuery } from "../../wire/hooks.tsx";
import * as memoryTexts from "../../words/memory.ts";

const tones = { dream: "accent", edit: "good", restore: "warn", forget: "bad" } as const;
const mostShown = 500;

export function Timeline({ opened }: { opened: string | undefined }) {
  const words = useTopic(memoryTexts);
  const [most, setMost] = useState(50);
  const query = useQuery("memory.log", { most, withEdits: true }, { topic: "memory", isKept: true });
  return (
    <Loaded query={query} lines={8}>
      {({ versions }) => (
        <>
          {versions.length === 0 && (
            <EmptyState icon={History} title={words.noVersions}>
              {words.noVersionsHint}
            </EmptyState>
          )}
          <ol className="flex flex-col gap-2">
            {versions.map((version) => (
              <VersionItem key={version.id} version={version} isOpen={version.id === opened} />
            ))}
          </ol>
          {versions.length === most && most < mostShown && (
            <Button tone="quiet" className="self-center" onClick={() => setMost(mostShown)}>
              {words.moreVersions}
            </Button>
          )}
        </>
      )}
    </Loaded>
  );
}

function VersionItem({ version, isOpen }: { version: Version; isOpen: boolean }) {
  const words = useTopic(memoryTexts);
  const { id, kind, at, summary } = version;
  const tone = kind in tones ? tones[kind as keyof typeof tones] : "plain";
  return (
    <li>
      <Card>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => navigate(isOpen ? toPath("memory", "timeline") : toPath("memory", "timeline", id))}
          className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 rounded-card px-4 py-3 text-left hover:bg-raised"
        >
          <Badge tone={tone}>{words.versionKinds[kind] ?? kind}</Badge>
          <span className="order-last w-full truncate font-mono text-small sm:order-none sm:w-auto sm:flex-1">
            {summary}
          </span>
          <Time at={at} className="ml-auto text-small text-muted" />
        </button>
        {isOpen && <Change id={id} />}
      </Card>
    </li>
  );
}

function Change({ id }: { id: string }) {
  const words = useTopic(memoryTexts);
  const query = useQuery("memory.change", { id });
  const restoring = useMutation("memory.restore", { done: () => ({ text: words.undone, tone: "good" }) });
  return (
    <div className="flex flex-col gap-4 border-t border-line px-4 py-4">
      <Loaded query={query}>
        {({ files }) => (
          <>
            {files.map(({ path, patch }) => (
              <section key={path} className="min-w-0">
                <h2 className="mb-1.5 font-mono text-small text-muted">{path}</h2>
                {patch !== "" && <Diff text={patch} label={words.changeOf(path)} />}
              </section>
            ))}
            <Button
              icon={Undo2}
              className="self-start"
              isBusy={restoring.isRunning}
              onClick={() => void restoring.run({ id })}
            >
              {words.undoThis}
            </Button>
          </>
        )}
      </Loaded>
    </div>
  );
}
