// A reminder or task that was due: what it is about, and what to do with it. Never the text that the model was given.
import { AlarmClock, CalendarClock, Check, ChevronDown } from "lucide-react";
import type { ShownTask } from "../../../../../src/api/chat/wire.ts";
import { usePreferences, useWords } from "../../../app/preferences.tsx";
import { Button } from "../../../components/button.tsx";
import { Time } from "../../../components/format.tsx";
import { Menu } from "../../../components/menu.tsx";
import { PlainText } from "../../../components/text.tsx";
import type { UserPart } from "../../../store/conversation.ts";
import { useMutation } from "../../../wire/hooks.tsx";
import { useChat } from "../chat-actions.ts";

export function ReminderCard({ part, task }: { part: UserPart; task: ShownTask }) {
  const words = useWords().chat.reminder;
  const heading = task.isOnce ? words.once : words.repeated;
  const Icon = task.isOnce ? AlarmClock : CalendarClock;
  const isDone = task.state === "done";
  return (
    <section
      aria-label={heading}
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border bg-surface px-4 py-3 ${task.state ? "border-line" : "border-accent"}`}
    >
      <Icon aria-hidden className={`size-5 shrink-0 ${task.state ? "text-muted" : "text-accent"}`} />
      <div className="min-w-40 flex-1">
        <p className="flex gap-2 text-tiny text-muted">
          <span className="font-medium">{heading}</span>
          <Time at={part.at} />
        </p>
        <p className={`font-medium break-words ${isDone ? "text-muted line-through" : ""}`}>
          <PlainText text={task.name} />
        </p>
      </div>
      <ReminderActions turnId={part.turn} task={task} />
    </section>
  );
}

const minute = 60_000;

function ReminderActions({ turnId, task: { state, until } }: { turnId: string; task: ShownTask }) {
  const words = useWords().chat.reminder;
  const { language } = usePreferences();
  const { sessionKey } = useChat();
  const { run, isRunning } = useMutation("jobs.settle");
  if (state === "done")
    return (
      <span className="flex items-center gap-1 text-small text-good">
        <Check aria-hidden className="size-4" />
        {words.done}
      </span>
    );
  if (state === "snoozed")
    return <span className="text-small text-muted">{words.snoozed(formatUntil(until ?? 0, language))}</span>;
  const snooze = (at: number) => void run({ sessionKey, turnId, until: at });
  const items = [
    { label: words.tenMinutes, run: () => snooze(Date.now() + 10 * minute) },
    { label: words.hour, run: () => snooze(Date.now() + 60 * minute) },
    { label: words.tomorrow, run: () => snooze(toTomorrow(new Date())) },
  ];
  return (
    <div className="flex gap-2">
      <Button
        size="small"
        tone="primary"
        icon={Check}
        isBusy={isRunning}
        onClick={() => void run({ sessionKey, turnId })}
      >
        {words.done}
      </Button>
      <Menu
        label={words.snooze}
        items={items}
        className="flex h-8 items-center gap-1 rounded-control border border-line bg-surface px-2.5 text-small hover:bg-raised"
      >
        {words.snooze}
        <ChevronDown aria-hidden className="size-4 text-muted" />
      </Menu>
    </div>
  );
}

/** At nine in the morning, by the clock of the browser. */
function toTomorrow(now: Date): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9).getTime();
}

function formatUntil(at: number, language: string): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  const form = { hour: "numeric", minute: "2-digit" } as const;
  return new Intl.DateTimeFormat(language, isToday ? form : { weekday: "long", ...form }).format(at);
}
