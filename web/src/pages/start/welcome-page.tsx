// The first start: a hosted model, one on this computer, or the demo. A model is tried before it is used; then the page
// goes on to the chat on its own.
import { ArrowLeft, Cloud, Compass, Cpu, type LucideIcon, RefreshCw } from "lucide-react";
import { useState } from "react";
import type { HostCard } from "../../../../src/api/models/models.ts";
import type { ResultOf } from "../../../../src/server/protocol.ts";
import { SandboxNote } from "../../app/notices.tsx";
import { useTopic, useWords } from "../../app/preferences.tsx";
import { navigate, toPath } from "../../app/router.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ModelField } from "../../components/model-picker.tsx";
import { Skeleton } from "../../components/states.tsx";
import { useQuery } from "../../wire/hooks.tsx";
import * as settingsTexts from "../../words/settings.ts";
import { ModelForm, TrialNote, useTrial } from "../settings/model-form.tsx";
import { MoveInOffer } from "./move-in-offer.tsx";

const begin = () => navigate(toPath("chat"));

export function WelcomePage() {
  const words = useWords().start;
  const hosts = useQuery("models.hosts", {});
  const local = useQuery("models.local", {});
  const [choice, setChoice] = useState<"hosted" | "local">();
  return (
    <main className="h-full overflow-y-auto bg-side">
      <div className="mx-auto flex max-w-xl flex-col gap-6 px-4 py-8 md:py-14">
        <header className="flex flex-col items-center gap-3 text-center">
          <img src="./icon.svg" alt="" className="size-14" />
          <h1 className="text-title font-semibold tracking-tight">{words.title}</h1>
          <p className="max-w-prose text-muted">{words.about}</p>
        </header>
        {choice === undefined ? (
          <Choices servers={local.data?.servers} onChoose={setChoice} />
        ) : (
          <Card className="flex flex-col gap-4 p-5 md:p-6">
            <div className="flex items-center gap-2">
              <Button tone="quiet" icon={ArrowLeft} onClick={() => setChoice(undefined)}>
                {words.back}
              </Button>
              <h2 className="font-semibold">{choice === "hosted" ? words.hosted : words.local}</h2>
            </div>
            {choice === "hosted" && <HostedForm hosts={hosts.data?.hosts} />}
            {choice === "local" && <LocalForm servers={local.data?.servers} onRetry={local.refetch} />}
          </Card>
        )}
        <MoveInOffer />
        <SandboxNote />
      </div>
    </main>
  );
}

type LocalServer = ResultOf<"models.local">["servers"][number];

interface ChoicesProps {
  servers: LocalServer[] | undefined;
  onChoose(choice: "hosted" | "local"): void;
}

function Choices({ servers, onChoose }: ChoicesProps) {
  const words = useWords().start;
  const { trial, isUsing, use } = useTrial(begin);
  const names = servers?.map(({ label }) => label).join(", ");
  const localAbout =
    names === undefined ? words.localLooking : names === "" ? words.localMissing : words.localFound(names);
  return (
    <div className="flex flex-col gap-3">
      <Choice
        icon={Cloud}
        title={words.hosted}
        about={words.hostedAbout}
        onClick={() => onChoose("hosted")}
      />
      <Choice icon={Cpu} title={words.local} about={localAbout} onClick={() => onChoose("local")} />
      <Choice
        icon={Compass}
        title={words.demo}
        about={words.demoAbout}
        isBusy={isUsing}
        onClick={() => void use({ host: "offline", model: "offline" })}
      />
      {trial && !trial.ok && <TrialNote trial={trial} hosts={[]} />}
    </div>
  );
}

interface ChoiceProps {
  icon: LucideIcon;
  title: string;
  about: string;
  isBusy?: boolean;
  onClick(): void;
}

function Choice({ icon: Icon, title, about, isBusy = false, onClick }: ChoiceProps) {
  return (
    <button
      type="button"
      disabled={isBusy}
      onClick={onClick}
      className="flex items-start gap-4 rounded-card border border-line bg-surface p-5 text-left transition-colors hover:border-accent disabled:opacity-60"
    >
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-accent-soft text-accent">
        <Icon aria-hidden className="size-5" />
      </span>
      <span className="min-w-0">
        <span className="block font-semibold">{title}</span>
        <span className="block text-small text-muted">{about}</span>
      </span>
    </button>
  );
}

function HostedForm({ hosts }: { hosts: HostCard[] | undefined }) {
  if (hosts === undefined) return <Skeleton className="h-48" />;
  return <ModelForm hosts={hosts.filter(({ kind }) => kind !== "local")} onDone={begin} />;
}

function LocalForm({ servers, onRetry }: { servers: LocalServer[] | undefined; onRetry(): void }) {
  const words = useWords().start;
  if (servers === undefined) return <Skeleton className="h-24" />;
  if (servers.length > 0) return servers.map((server) => <LocalChoice key={server.host} server={server} />);
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-muted">{words.localHow}</p>
      <Button icon={RefreshCw} onClick={onRetry}>
        {words.lookAgain}
      </Button>
    </div>
  );
}

function LocalChoice({ server }: { server: LocalServer }) {
  const words = useWords().start;
  const { trying } = useTopic(settingsTexts).model;
  const [model, setModel] = useState(server.models[0] ?? "");
  const { trial, isUsing, use } = useTrial(begin);
  return (
    <section className="flex flex-col gap-3">
      <h3 className="font-medium">{server.label}</h3>
      <ModelField models={server.models.map((id) => ({ id }))} value={model} onChange={setModel} />
      <TrialNote trial={trial} hosts={[]} />
      <Button
        tone="primary"
        className="self-start"
        isBusy={isUsing}
        disabled={model.trim() === ""}
        onClick={() => void use({ host: server.host, model })}
      >
        {isUsing ? trying : words.start}
      </Button>
    </section>
  );
}
