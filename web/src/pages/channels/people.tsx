// Who asks to be let in, and who was: approved as guest or owner, denied, sent away.
import { UserRound } from "lucide-react";
import { useState } from "react";
import type { ResultOf } from "../../../../src/api/index.ts";
import { useTopic } from "../../app/preferences.tsx";
import { Button } from "../../components/button.tsx";
import { Badge, ListCard } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/dialog.tsx";
import { Input } from "../../components/field.tsx";
import { Time } from "../../components/format.tsx";
import { EmptyState } from "../../components/states.tsx";
import { useMutation } from "../../wire/hooks.tsx";
import * as channelsTexts from "../../words/channels.ts";

type Request = ResultOf<"pairing.list">["pending"][number];
type Person = ResultOf<"pairing.list">["paired"][number];

export function RequestRow({ request }: { request: Request }) {
  const words = useTopic(channelsTexts);
  const approve = useMutation("pairing.approve");
  const deny = useMutation("pairing.deny");
  const [person, setPerson] = useState("");
  const { code, channel, senderId, name, expiresAt } = request;
  const given = person.trim() === "" ? {} : { person: person.trim() };
  return (
    <li className="flex flex-wrap items-center gap-3 px-5 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium">
          <span className="font-mono tracking-wide">{code}</span> {name}
        </p>
        <p className="text-small text-muted">
          {words.names[channel] ?? channel} · {senderId} · {words.expires} <Time at={expiresAt} />
        </p>
      </div>
      <Input
        aria-label={words.person}
        placeholder={words.person}
        className="max-w-52"
        maxLength={64}
        value={person}
        onChange={(event) => setPerson(event.target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          tone="primary"
          size="small"
          isBusy={approve.isRunning}
          onClick={() => void approve.run({ code, role: "guest", ...given })}
        >
          {words.asGuest}
        </Button>
        <ConfirmButton
          size="small"
          disabled={approve.isRunning}
          title={words.ownerTitle(name ?? senderId)}
          hint={words.ownerHint}
          onConfirm={() => void approve.run({ code, role: "owner" })}
        >
          {words.asOwner}
        </ConfirmButton>
        <Button tone="danger" size="small" disabled={deny.isRunning} onClick={() => void deny.run({ code })}>
          {words.deny}
        </Button>
      </div>
    </li>
  );
}

export function People({ people }: { people: Person[] }) {
  const words = useTopic(channelsTexts);
  const revoke = useMutation("pairing.revoke");
  const empty = <EmptyState icon={UserRound} title={words.noPeople} />;
  return (
    <ListCard title={words.people} items={people} empty={empty}>
      {({ channel, senderId, name, person, role }) => (
        <li key={`${channel}:${senderId}`} className="flex items-center gap-3 px-5 py-3">
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-center gap-2 font-medium">
              {name ?? person}
              <Badge tone={role === "owner" ? "accent" : "plain"}>{words.roles[role]}</Badge>
            </p>
            <p className="truncate text-small text-muted">
              {words.names[channel] ?? channel} · {senderId} · {person}
            </p>
          </div>
          <ConfirmButton
            tone="danger"
            size="small"
            title={words.revokeTitle(name ?? person)}
            hint={words.revokeHint}
            onConfirm={() => void revoke.run({ channel, senderId })}
          >
            {words.revoke}
          </ConfirmButton>
        </li>
      )}
    </ListCard>
  );
}
