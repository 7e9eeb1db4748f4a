// Who asks to be let in, and who was: approved as guest or owner, denied, sent away.
import { UserRound } from "lucide-react";
import { useState } from "react";
import type { ChannelsMethods } from "../../../../src/server/protocol/channels.ts";
import { Button } from "../../components/button.tsx";
import { Badge, Card } from "../../components/card.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Input } from "../../components/field.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Time } from "../../components/time.tsx";
import { useMutation } from "../../wire/use-mutation.ts";
import { useWords } from "../../words/use-words.ts";

type Listed = ChannelsMethods["channels.list"]["result"];
type Request = Listed["pending"][number];
type Person = Listed["paired"][number];

export function Requests({ requests }: { requests: Request[] }) {
  const words = useWords().channels;
  return (
    <Card className="border-accent">
      <div className="border-b border-line px-5 py-3">
        <h2 className="font-semibold">{words.requests}</h2>
        <p className="text-small text-muted">{words.requestsHint}</p>
      </div>
      <ul className="divide-y divide-line">
        {requests.map((request) => (
          <RequestRow key={request.code} request={request} />
        ))}
      </ul>
    </Card>
  );
}

function RequestRow({ request }: { request: Request }) {
  const words = useWords().channels;
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
        <Button
          size="small"
          disabled={approve.isRunning}
          onClick={() => void approve.run({ code, role: "owner" })}
        >
          {words.asOwner}
        </Button>
        <Button tone="danger" size="small" disabled={deny.isRunning} onClick={() => void deny.run({ code })}>
          {words.deny}
        </Button>
      </div>
    </li>
  );
}

export function People({ people }: { people: Person[] }) {
  const words = useWords().channels;
  const revoke = useMutation("pairing.revoke");
  const [leaving, setLeaving] = useState<Person>();
  const name = (who: Person) => who.name ?? who.person;
  return (
    <Card>
      <h2 className="border-b border-line px-5 py-3 font-semibold">{words.people}</h2>
      {people.length === 0 && <EmptyState icon={UserRound} title={words.noPeople} />}
      <ul className="divide-y divide-line">
        {people.map((who) => (
          <li key={`${who.channel}:${who.senderId}`} className="flex items-center gap-3 px-5 py-3">
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {name(who)}{" "}
                <Badge tone={who.role === "owner" ? "accent" : "plain"}>{words.roles[who.role]}</Badge>
              </p>
              <p className="truncate text-small text-muted">
                {words.names[who.channel] ?? who.channel} · {who.senderId} · {who.person}
              </p>
            </div>
            <Button tone="danger" size="small" onClick={() => setLeaving(who)}>
              {words.revoke}
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        isOpen={leaving !== undefined}
        title={leaving ? words.revokeTitle(name(leaving)) : ""}
        confirm={words.revoke}
        onConfirm={() => leaving && void revoke.run({ channel: leaving.channel, senderId: leaving.senderId })}
        onClose={() => setLeaving(undefined)}
      >
        {words.revokeHint}
      </ConfirmDialog>
    </Card>
  );
}
