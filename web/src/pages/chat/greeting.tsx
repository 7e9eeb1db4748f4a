// An empty conversation: a greeting and three ways to begin.
import { ArrowUpRight } from "lucide-react";
import { useWords } from "../../words/use-words.ts";

export function Greeting({ onExample }: { onExample(text: string): void }) {
  const words = useWords().chat;
  return (
    <div className="flex min-h-0 flex-1 flex-col justify-end overflow-y-auto md:justify-center">
      <div className="mx-auto w-full max-w-3xl px-4 py-8 md:px-6">
        <img src="/icon.svg" alt="" className="mb-5 size-12" />
        <h1 className="text-[1.75rem] leading-9 font-semibold tracking-tight">
          {words.hello(new Date().getHours())}
        </h1>
        <p className="text-large text-muted">{words.helloBelow}</p>
        <ul className="mt-8 grid gap-3 md:grid-cols-3">
          {words.examples.map(({ title, text }) => (
            <li key={title}>
              <button
                type="button"
                onClick={() => onExample(text)}
                className="group flex h-full w-full flex-col gap-1 rounded-card border border-line bg-surface p-4 text-left transition-colors hover:border-strong-line"
              >
                <span className="flex items-center justify-between font-medium">
                  {title}
                  <ArrowUpRight aria-hidden className="size-4 text-muted group-hover:text-accent" />
                </span>
                <span className="line-clamp-3 text-small text-muted">{text}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
