// Signing in: the command that prints a link, a button that prints one in the gateway's terminal, and a field to paste it.
import { CircleX, KeyRound, SquareTerminal } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTopic, useWords } from "../../app/preferences.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { CodeBlock } from "../../components/code.tsx";
import { InputField } from "../../components/field.tsx";
import type { Refusal } from "../../store/reduce.ts";
import { askForLink, enter } from "../../wire/browser-connection.ts";
import { useStore, useWire } from "../../wire/hooks.tsx";
import * as signInTexts from "../../words/sign-in.ts";

export function SignInPage() {
  const words = useTopic(signInTexts);
  const { connection } = useWire();
  const command = useStore((state) => state.command);
  const [text, setText] = useState("");
  const [refusal, setRefusal] = useState<Refusal | undefined>(useStore((state) => state.refusal));
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    const entry = await enter(toToken(text));
    setIsBusy(false);
    if (entry === "in") await connection.connect();
    else setRefusal(entry);
  };
  return (
    <main className="grid h-full place-items-center overflow-y-auto bg-side p-4">
      <Card className="flex w-full max-w-md flex-col gap-5 p-7">
        <span className="grid size-11 place-items-center rounded-full bg-accent-soft text-accent">
          <KeyRound aria-hidden className="size-5" />
        </span>
        <div>
          <h1 className="text-title font-semibold tracking-tight">{words.title}</h1>
          <p className="mt-1 text-muted">{words.about}</p>
        </div>
        {refusal && <RefusedNote refusal={refusal} />}
        <div className="flex flex-col gap-2">
          <p>{command.startsWith("npx") ? words.inFolder : words.onMachine}</p>
          <CodeBlock code={`${command} web`} />
          <ShowLink />
          <p>{words.thenOpen}</p>
        </div>
        <form onSubmit={submit} className="flex flex-col gap-3">
          <InputField
            label={words.link}
            aria-invalid={refusal !== undefined}
            type="password"
            autoComplete="off"
            required
            value={text}
            onChange={(next) => {
              setText(next);
              setRefusal(undefined);
            }}
          />
          <Button type="submit" tone="primary" isBusy={isBusy} disabled={text.trim() === ""}>
            {words.enter}
          </Button>
        </form>
      </Card>
    </main>
  );
}

function RefusedNote({ refusal }: { refusal: Refusal }) {
  const { shell } = useWords();
  const words = useTopic(signInTexts);
  return (
    <div role="alert" className="flex gap-2 rounded-control bg-bad-soft px-3 py-2 text-small text-bad">
      <CircleX aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div>
        {refusal === "wrong" && <p className="font-medium">{words.spent}</p>}
        <p>{refusal === "other" ? shell.otherPerson : words[refusal]}</p>
      </div>
    </div>
  );
}

function ShowLink() {
  const words = useTopic(signInTexts);
  const [answer, setAnswer] = useState<Awaited<ReturnType<typeof askForLink>>>();
  const [isBusy, setIsBusy] = useState(false);
  const ask = async () => {
    setIsBusy(true);
    setAnswer(await askForLink());
    setIsBusy(false);
  };
  return (
    <>
      <Button icon={SquareTerminal} isBusy={isBusy} onClick={() => void ask()}>
        {words.show}
      </Button>
      <p role="status" className={`text-small ${answer === "shown" ? "text-good" : "text-muted"}`}>
        {answer && words[answer]}
      </p>
    </>
  );
}

/** Of a whole link, the token. */
function toToken(text: string): string {
  return /#token=([\w-]+)/.exec(text)?.[1] ?? text.trim();
}
