// The heartbeat: its list with what is to be done, when it looks, and who hears of it.
import { useState } from "react";
import type { HeartbeatRecord as Heartbeat } from "../../../../src/api/jobs/heartbeat.ts";
import type { KnownChat } from "../../../../src/api/jobs/jobs.ts";
import { Badge } from "../../components/card.tsx";
import { ChoiceField } from "../../components/labelled.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { useMutation } from "../../wire/use-mutation.ts";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";
import { FileEditor } from "../memory/file-editor.tsx";
import { describeInterval } from "./describe-schedule.ts";
import { useChatNames } from "./use-speaker.ts";

const mostTasks = 8;

export function HeartbeatCard({ chats }: { chats: KnownChat[] }) {
  const words = useWords().schedule.heartbeat;
  // What stands in the file changes with memory.
  const query = useQuery("heartbeat.read", {}, { topic: ["jobs", "memory"] });
  const count = query.data?.tasks.length ?? 0;
  const [isOpen, setIsOpen] = useState(false);
  const mark = count > 0 ? <Badge tone="accent">{words.tasks(count)}</Badge> : <Badge>{words.noTasks}</Badge>;
  return (
    <Section title={words.title} aside={query.data && mark}>
      <Loaded query={query}>{(heartbeat) => <Facts heartbeat={heartbeat} chats={chats} />}</Loaded>
      <details className="mt-3" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className="mb-3 text-small font-medium text-accent">{words.show}</summary>
        {isOpen && <FileEditor path="HEARTBEAT.md" />}
      </details>
    </Section>
  );
}

function Facts({ heartbeat, chats }: { heartbeat: Heartbeat; chats: KnownChat[] }) {
  const all = useWords().schedule;
  const words = all.heartbeat;
  const { isEnabled, everyMs, lastLookAt, nextLookAt, tasks, target } = heartbeat;
  const aim = useMutation("heartbeat.aim");
  const { nameChats } = useChatNames();
  const options = { ...nameChats(chats, target), last: words.lastChat };
  return (
    <div className="flex flex-col gap-3">
      <p className="text-small text-muted">
        {isEnabled ? words.about(describeInterval(everyMs, all)) : words.off}
      </p>
      <p className="flex flex-wrap gap-x-4 text-small text-muted">
        {lastLookAt !== undefined && (
          <span>
            {words.lastLook} <Time at={lastLookAt} />
          </span>
        )}
        {nextLookAt !== undefined && (
          <span>
            {words.nextLook} <Time at={nextLookAt} className="font-medium text-accent" />
          </span>
        )}
      </p>
      {tasks.length > 0 && (
        <ul className="list-disc pl-5 text-small">
          {tasks.slice(0, mostTasks).map((task, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two tasks may have the same words.
            <li key={index}>{task.replace(/^\s*[-*+]\s+(\[ \]\s+)?/, "")}</li>
          ))}
          {tasks.length > mostTasks && <li>…</li>}
        </ul>
      )}
      <div className="max-w-sm">
        <ChoiceField
          label={words.target}
          value={target}
          options={options}
          onChange={(next) => void aim.run({ target: next })}
        />
      </div>
    </div>
  );
}
