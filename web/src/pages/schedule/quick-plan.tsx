// One field for a reminder or task in plain words: what was understood is shown while typing, before it is added.
import { CalendarPlus } from "lucide-react";
import { type FormEvent, useDeferredValue, useState } from "react";
import type { ReadSentence } from "../../../../src/api/jobs/schedule-draft.ts";
import { usePreferences, useTopic } from "../../app/preferences.tsx";
import { showToast } from "../../app/toasts.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Input } from "../../components/field.tsx";
import { useMutation, useQuery } from "../../wire/hooks.tsx";
import * as scheduleTexts from "../../words/schedule.ts";
import { formatMoment } from "./describe-schedule.ts";

export function QuickPlan() {
  const words = useTopic(scheduleTexts).quick;
  const [text, setText] = useState("");
  const wanted = useDeferredValue(text.trim());
  const query = useQuery("jobs.read", { text: wanted }, { isEnabled: wanted !== "", isKept: true });
  const add = useMutation("jobs.add");
  const draft = wanted === "" ? undefined : query.data?.draft;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (draft === undefined) return;
    const outcome = await add.run({ ...draft, chat: { channel: "web", chatId: "schedule" } });
    if (!outcome.ok) return;
    setText("");
    showToast({ text: words.added(draft.name), tone: "good" });
  };
  return (
    <Card className="p-5">
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-2">
        <div className="flex flex-wrap gap-2">
          <Input
            aria-label={words.label}
            placeholder={words.example}
            maxLength={2_000}
            value={text}
            onChange={({ target }) => setText(target.value)}
            className="min-w-0 flex-1 basis-60"
          />
          <Button
            type="submit"
            tone="primary"
            icon={CalendarPlus}
            isBusy={add.isRunning}
            disabled={draft === undefined}
          >
            {words.add}
          </Button>
        </div>
        <p aria-live="polite" className="min-h-5 text-small text-muted">
          {draft ? <Understood draft={draft} /> : wanted !== "" && query.data ? words.unclear : words.hint}
        </p>
      </form>
    </Card>
  );
}

function Understood({ draft: { name, schedule } }: { draft: ReadSentence }) {
  const words = useTopic(scheduleTexts).quick;
  const { language } = usePreferences();
  const { data } = useQuery("jobs.preview", { schedule }, { isKept: true });
  const times = (data?.times ?? []).slice(0, 2).map((time) => formatMoment(time, language));
  if (times.length === 0) return name;
  return (
    <>
      <span className="font-medium text-ink">{name}</span>
      {" · "}
      {schedule.kind === "at" ? words.once(times[0] ?? "") : words.repeats(times)}
    </>
  );
}
