// The first start: a model found on this computer, one with a key, or none yet. It is tested before it is used; then the
// first conversation begins.
import { CloudOff, Cpu, KeyRound, type LucideIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { ResultOf } from "../../../../src/server/protocol.ts";
import { useWords } from "../../app/preferences.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Select } from "../../components/field.tsx";
import { Skeleton } from "../../components/states.tsx";
import { useQuery } from "../../wire/hooks.tsx";
import { useChatActions } from "../chat/chat-actions.ts";
import { ModelForm, TrialNote, useTrial } from "../settings/model-form.tsx";

export function WelcomePage() {
  const words = useWords().settings.welcome;
  const hosts = useQuery("models.hosts", {});
  const local = useQuery("models.local", {});
  const { send } = useChatActions(undefined);
  const begin = () => send({ text: words.hello });
  const servers = local.data?.servers ?? [];
  return (
    <main className="h-full overflow-y-auto bg-side">
      <div className="mx-auto flex max-w-xl flex-col gap-6 px-4 py-10 md:py-16">
        <header className="flex flex-col items-center gap-3 text-center">
          <img src="/icon.svg" alt="" className="size-14" />
          <h1 className="text-title font-semibold tracking-tight">{words.title}</h1>
          <p className="max-w-prose text-muted">{words.about}</p>
        </header>
        {!local.data && !local.problem && (
          <p className="text-center text-small text-muted">{words.looking}</p>
        )}
        {servers.map((server) => (
          <Choice
            key={server.host}
            icon={Cpu}
            title={`${words.local}: ${server.label}`}
            about={words.localAbout}
          >
            <LocalChoice server={server} onDone={begin} />
          </Choice>
        ))}
        <Choice icon={KeyRound} title={words.key} about={words.keyAbout}>
          {hosts.data ? <ModelForm hosts={hosts.data.hosts} onDone={begin} /> : <Skeleton className="h-48" />}
        </Choice>
        <Choice icon={CloudOff} title={words.offline} about={words.offlineAbout}>
          <OfflineChoice onDone={begin} />
        </Choice>
      </div>
    </main>
  );
}

interface ChoiceProps {
  icon: LucideIcon;
  title: string;
  about: string;
  children: ReactNode;
}

function Choice({ icon: Icon, title, about, children }: ChoiceProps) {
  return (
    <Card className="flex flex-col gap-4 p-6">
      <div className="flex gap-3">
        <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
        <div>
          <h2 className="font-semibold">{title}</h2>
          <p className="text-small text-muted">{about}</p>
        </div>
      </div>
      {children}
    </Card>
  );
}

type LocalServer = ResultOf<"models.local">["servers"][number];

function LocalChoice({ server, onDone }: { server: LocalServer; onDone(): void }) {
  const words = useWords().settings;
  const [model, setModel] = useState(server.models[0] ?? "");
  const { trial, isUsing, use } = useTrial(onDone);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <Select
          aria-label={words.model.model}
          className="min-w-48 flex-1"
          value={model}
          onChange={({ target }) => setModel(target.value)}
        >
          {server.models.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
        <Button tone="primary" isBusy={isUsing} onClick={() => void use({ host: server.host, model })}>
          {isUsing ? words.model.trying : words.welcome.chooseLocal(server.label)}
        </Button>
      </div>
      <TrialNote trial={trial} hosts={[]} />
    </div>
  );
}

function OfflineChoice({ onDone }: { onDone(): void }) {
  const words = useWords().settings.welcome;
  const { trial, isUsing, use } = useTrial(onDone);
  return (
    <div className="flex flex-col gap-3">
      <Button
        className="self-start"
        isBusy={isUsing}
        onClick={() => void use({ host: "offline", model: "offline" })}
      >
        {words.offlineStart}
      </Button>
      <TrialNote trial={trial} hosts={[]} />
    </div>
  );
}
