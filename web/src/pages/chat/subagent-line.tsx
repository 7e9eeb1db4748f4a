// A subagent as it works: how far it is, and what it does at the moment.
import { Bot } from "lucide-react";
import type { SubagentCard } from "../../../../src/api/chat/wire.ts";
import { Badge } from "../../components/card.tsx";
import { useWords } from "../../words/use-words.ts";

export function SubagentLine({ subagent }: { subagent: SubagentCard }) {
  const words = useWords().chat.subagent;
  const { state, step, toolCalls, lastCalls } = subagent;
  const said = state === "running" ? words.running(step, toolCalls) : words[state];
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 px-3.5 pb-2 pl-10 text-tiny text-muted">
      <Badge tone={state === "running" ? "accent" : "plain"}>{said}</Badge>
      {state !== "ended" && <span className="min-w-0 flex-1 truncate font-mono">{lastCalls.at(-1)}</span>}
    </div>
  );
}

/** Those that work at the moment, above the field: their calls may be far up. */
export function SubagentStrip({ subagents }: { subagents: readonly SubagentCard[] }) {
  const words = useWords().chat.subagent;
  const active = subagents.filter(({ state }) => state !== "ended");
  if (active.length === 0) return null;
  return (
    <details className="mb-2 rounded-card border border-line bg-surface text-small">
      <summary className="flex items-center gap-2 px-3.5 py-1.5">
        <Bot aria-hidden className="size-4 animate-pulse-soft text-accent" />
        {words.working(active.length)}
      </summary>
      <ul className="divide-y divide-line border-t border-line">
        {active.map((subagent) => (
          <li key={subagent.id} className="pt-2">
            <p className="truncate px-3.5 pl-10 font-medium">{subagent.label || subagent.task}</p>
            <SubagentLine subagent={subagent} />
          </li>
        ))}
      </ul>
    </details>
  );
}
