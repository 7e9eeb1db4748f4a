// The heartbeat: its list with what is to be done, when it looks, and who hears of it.
import { useEffect, useState } from "react";
import type { KnownChat } from "../../../../src/server/protocol/schedule.ts";
import { Badge, Card } from "../../components/card.tsx";
import { ChoiceField } from "../../components/labelled.tsx";
import { Time } from "../../components/time.tsx";
import { useMutation } from "../../wire/use-mutation.ts";
import { useQuery } from "../../wire/use-query.ts";
import { useStore } from "../../wire/wire-context.tsx";
import { useWords } from "../../words/use-words.ts";
import { type Draft, FileEditor } from "../memory/file-editor.tsx";
import { describeInterval } from "./describe-schedule.ts";
import { nameChat, toTarget } from "./use-speaker.ts";

export function HeartbeatCard({ chats }: { chats: KnownChat[] }) {
  const all = useWords().schedule;
  const words = all.heartbeat;
  const { data, refetch } = useQuery("heartbeat.read", {}, { topic: "schedule" });
  // What stands in the file changes with memory.
  const version = useStore(({ topics }) => topics.memory ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: version says when to ask anew.
  useEffect(() => refetch(), [refetch, version]);
  const aim = useMutation("heartbeat.aim");
  const [aimed, setAimed] = useState<string>();
  const [isOpen, setIsOpen] = useState(false);
  const [draft, setDraft] = useState<Draft>();
  if (data === undefined) return null;
  const target = aimed ?? data.target;
  const choose = async (next: string) => {
    setAimed(next);
    if (!(await aim.run({ target: next })).ok) setAimed(undefined);
  };
  const known = chats.map((chat) => ({ value: toTarget(chat), label: nameChat(chat, all) }));
  const isKnown = target === "last" || known.some(({ value }) => value === target);
  const options = [
    { value: "last", label: words.lastChat },
    ...known,
    ...(isKnown ? [] : [{ value: target, label: target }]),
  ];
  return (
    <Card className="flex flex-col gap-3 px-5 py-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="font-semibold">{words.title}</h2>
        <Badge tone={data.tasks.length > 0 ? "accent" : "plain"}>
          {data.tasks.length > 0 ? words.tasks(data.tasks.length) : words.noTasks}
        </Badge>
      </div>
      <p className="text-small text-muted">
        {data.isEnabled ? words.about(describeInterval(data.everyMs, all)) : words.off}
      </p>
      <p className="flex flex-wrap gap-x-4 text-small text-muted">
        {data.lastLookAt !== undefined && (
          <span>
            {words.lastLook} <Time at={data.lastLookAt} />
          </span>
        )}
        {data.nextLookAt !== undefined && (
          <span>
            {words.nextLook} <Time at={data.nextLookAt} className="font-medium text-accent" />
          </span>
        )}
      </p>
      {data.tasks.length > 0 && (
        <ul className="list-disc pl-5 text-small">
          {data.tasks.slice(0, 8).map((task) => (
            <li key={task}>{task.replace(/^\s*[-*+]\s+(\[ \]\s+)?/, "")}</li>
          ))}
        </ul>
      )}
      <div className="max-w-sm">
        <ChoiceField
          label={words.target}
          value={target}
          options={options}
          onChange={(next) => void choose(next)}
        />
      </div>
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className="text-small font-medium text-accent">{words.show}</summary>
        <div className="mt-3">
          {isOpen && <FileEditor path="HEARTBEAT.md" draft={draft} onDraft={setDraft} />}
        </div>
      </details>
    </Card>
  );
}
