// Above the composer: the goal of the conversation, how far it is, and its plan; and its turns among the messages.
import { ChevronDown, Circle, CircleCheck, CircleDot, Pause, Play, Target, X } from "lucide-react";
import { usePreferences, useTopic } from "../../app/preferences.tsx";
import { Button } from "../../components/button.tsx";
import { formatShort, Time } from "../../components/format.tsx";
import { PlainText } from "../../components/text.tsx";
import type { UserPart } from "../../store/conversation.ts";
import { useMutation, useQuery } from "../../wire/hooks.tsx";
import * as goalTexts from "../../words/goal.ts";

const icons = { open: Circle, doing: CircleDot, done: CircleCheck };

export function GoalStrip({ sessionKey }: { sessionKey: string | undefined }) {
  const words = useTopic(goalTexts);
  const { language } = usePreferences();
  const { data } = useQuery("goals.list", {}, { topic: "jobs", isEnabled: sessionKey !== undefined });
  const { run, isRunning } = useMutation("goals.set");
  const goal = data?.goals.findLast((each) => each.sessionKey === sessionKey && each.state !== "stopped");
  if (goal === undefined) return null;
  const { id, text, steps, state, tokens, limits } = goal;
  const set = (next: "active" | "paused" | "stopped") => void run({ id, state: next });
  const done = steps.filter((step) => step.state === "done").length;
  const isActive = state === "active";
  return (
    <details className="group mb-2 rounded-card border border-line bg-surface text-small">
      <summary className="flex items-center gap-2 px-3 py-2">
        <Target aria-hidden className={`size-4 shrink-0 ${isActive ? "text-accent" : "text-muted"}`} />
        <span className="min-w-0 flex-1 truncate font-medium">
          <PlainText text={text} />
        </span>
        <span className="shrink-0 text-muted">
          {words.states[state]}
          {steps.length > 0 && ` · ${words.progress(done, steps.length)}`}
        </span>
        <ChevronDown aria-hidden className="size-4 shrink-0 text-muted group-open:rotate-180" />
      </summary>
      <div className="flex flex-col gap-2 border-t border-line px-3 py-2">
        <ul className="flex max-h-48 flex-col gap-1 overflow-y-auto">
          {steps.map((step, index) => {
            const Icon = icons[step.state];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the plan is replaced as a whole.
              <li key={index} className={`flex gap-2 ${step.state === "done" ? "text-muted" : ""}`}>
                <Icon
                  aria-label={words.steps[step.state]}
                  className={`mt-0.5 size-4 shrink-0 ${step.state === "open" ? "text-muted" : "text-accent"}`}
                />
                <span className="min-w-0 break-words">
                  <PlainText text={step.text} />
                </span>
              </li>
            );
          })}
          {steps.length === 0 && <li className="text-muted">{words.noSteps}</li>}
        </ul>
        <div className="flex flex-wrap items-center gap-2">
          <span className="flex-1 text-tiny text-muted">
            {words.used(formatShort(tokens, language), formatShort(limits.tokens, language))}
          </span>
          {isActive ? (
            <Button size="small" icon={Pause} isBusy={isRunning} onClick={() => set("paused")}>
              {words.pause}
            </Button>
          ) : (
            state !== "done" && (
              <Button
                size="small"
                tone="primary"
                icon={Play}
                isBusy={isRunning}
                onClick={() => set("active")}
              >
                {words.resume}
              </Button>
            )
          )}
          {(isActive || state === "paused") && (
            <Button size="small" icon={X} isBusy={isRunning} onClick={() => set("stopped")}>
              {words.stop}
            </Button>
          )}
        </div>
      </div>
    </details>
  );
}

/** A turn of a goal among the messages. */
export function GoalRow({ part }: { part: UserPart }) {
  const words = useTopic(goalTexts);
  return (
    <p className="flex items-center gap-2 rounded-card border border-line bg-side px-4 py-2 text-small text-muted">
      <Target aria-hidden className="size-4 shrink-0" />
      <span className="shrink-0">{words.title}</span>
      <span className="min-w-0 flex-1 truncate">
        <PlainText text={part.text} />
      </span>
      <Time at={part.at} className="shrink-0 text-tiny" />
    </p>
  );
}
