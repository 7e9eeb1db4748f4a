// Below the messages while no model is connected: what it is, what to try next, and the way to a model. And the cards of
// an empty conversation.
import { Plug } from "lucide-react";
import { useWords } from "../../app/preferences.tsx";
import { navigate, toPath } from "../../app/router.tsx";
import { Button } from "../../components/button.tsx";
import { useQuery, useStore } from "../../wire/hooks.tsx";

/** Nothing but the demo answers. */
export function useIsDemo(): boolean {
  const isOwner = useStore((state) => state.viewer?.role === "owner");
  const { data } = useQuery("models.state", {}, { topic: "config", isEnabled: isOwner });
  return data?.isOffline === true;
}

interface DemoStripProps {
  /** The conversation is empty, and has its cards. */
  isBeginning: boolean;
  /** What was said, to offer what was not. */
  said: readonly string[];
  onExample(text: string): void;
}

const mostShown = 3;
/** Of the examples, those that the cards say. */
const cards = [0, 2, 3];

export function DemoStrip({ isBeginning, said, onExample }: DemoStripProps) {
  const words = useWords().start;
  const left = isBeginning ? [] : words.demoExamples.filter((example) => !said.includes(example));
  return (
    <div className="mb-2 flex flex-wrap items-center gap-2">
      <span className="rounded-full bg-warn-soft px-2.5 py-1 text-small text-warn">{words.demoName}</span>
      {left.slice(0, mostShown).map((example) => (
        <Button key={example} size="small" className="rounded-full" onClick={() => onExample(example)}>
          {example}
        </Button>
      ))}
      <Button
        size="small"
        tone="primary"
        icon={Plug}
        onClick={() => navigate(`${toPath("settings")}?connect`)}
      >
        {words.connect}
      </Button>
    </div>
  );
}

/** The three cards of an empty conversation. */
export function useStarters(isDemo: boolean): Array<{ title: string; text: string }> {
  const { chat, start } = useWords();
  if (!isDemo) return chat.examples;
  return start.demoCards.map((title, index) => ({
    title,
    text: start.demoExamples[cards[index] ?? 0] ?? "",
  }));
}
