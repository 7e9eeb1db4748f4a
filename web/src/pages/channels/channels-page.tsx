// Channels: how each fares and how to set it up, who asks to be let in, who was, and what could not be delivered.
import {
  Anchor,
  Bell,
  Bird,
  Building2,
  Gamepad2,
  Grid3x3,
  Hash,
  Lightbulb,
  type LucideIcon,
  Mail,
  MessagesSquare,
  Phone,
  Send,
  Terminal,
} from "lucide-react";
import { useState } from "react";
import type { ChannelCard } from "../../../../src/api/channels/channels.ts";
import type { ResultOf } from "../../../../src/api/index.ts";
import { RestartNote } from "../../app/notices.tsx";
import { useTopic } from "../../app/preferences.tsx";
import { Button } from "../../components/button.tsx";
import { Badge, Card, ListCard, Page } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/dialog.tsx";
import { Time } from "../../components/format.tsx";
import { Loaded } from "../../components/states.tsx";
import { joinQueries, useMutation, useQuery, useSay } from "../../wire/hooks.tsx";
import * as channelsTexts from "../../words/channels.ts";
import { ChannelDialog } from "./channel-dialog.tsx";
import { People, RequestRow } from "./people.tsx";

const tones = {
  starting: "accent",
  running: "good",
  retrying: "warn",
  failed: "bad",
  stopped: "plain",
  off: "plain",
  broken: "bad",
} as const;

/** Signs of their own; logos belong to others. */
const icons: Record<string, LucideIcon> = {
  telegram: Send,
  discord: Gamepad2,
  slack: Hash,
  feishu: Bird,
  email: Mail,
  whatsapp: Phone,
  dingtalk: Bell,
  wecom: Building2,
  qq: MessagesSquare,
  matrix: Grid3x3,
  mattermost: Anchor,
  xmpp: Lightbulb,
  irc: Terminal,
};

export function ChannelsPage() {
  const words = useTopic(channelsTexts);
  const query = joinQueries({
    channels: useQuery("channels.list", {}, { topic: "channels" }),
    people: useQuery("pairing.list", {}, { topic: "channels" }),
    outbox: useQuery("outbox.list", {}, { topic: "channels" }),
  });
  const [opened, setOpened] = useState<string>();
  const card = query.data?.channels.channels.find(({ name }) => name === opened);
  return (
    <Page name="channels" about={words.about}>
      <Loaded query={query} lines={8}>
        {({ channels: { channels }, people: { pending, paired }, outbox: { rows } }) => (
          <>
            {channels.some(({ isChanged }) => isChanged) && <RestartNote text={words.waits} canRestart />}
            {pending.length > 0 && (
              <ListCard
                title={words.requests}
                about={words.requestsHint}
                items={pending}
                className="border-accent"
              >
                {(request) => <RequestRow key={request.code} request={request} />}
              </ListCard>
            )}
            <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
              {channels.map((channel) => (
                <ChannelBox key={channel.name} channel={channel} onOpen={() => setOpened(channel.name)} />
              ))}
            </div>
            <People people={paired} />
            <Stuck rows={rows.filter(isStuck)} />
          </>
        )}
      </Loaded>
      {card && <ChannelDialog channel={card} onClose={() => setOpened(undefined)} />}
    </Page>
  );
}

type OutboxRow = ResultOf<"outbox.list">["rows"][number];

/** Messages before their first attempt are not stuck. */
function isStuck({ state, attempts }: OutboxRow): boolean {
  return state === "dead" || attempts > 0;
}

function ChannelBox({ channel, onOpen }: { channel: ChannelCard; onOpen(): void }) {
  const words = useTopic(channelsTexts);
  const say = useSay();
  const { name, health, problem } = channel;
  const state = health?.state ?? (problem === undefined ? "off" : "broken");
  const open = channel.isEnabled ? words.settings : words.setUp;
  const minutes = words.minutes[name];
  const Icon = icons[name] ?? MessagesSquare;
  const reason = problem ?? (state === "running" ? undefined : health?.error);
  return (
    <Card className="flex flex-col gap-2 p-5">
      <div className="flex flex-wrap items-center gap-2">
        <span className="grid size-9 shrink-0 place-items-center rounded-control bg-accent-soft text-accent">
          <Icon aria-hidden className="size-5" />
        </span>
        <h2 className="font-semibold">{words.names[name] ?? name}</h2>
        <Badge tone={tones[state]}>{words.states[state]}</Badge>
        {channel.isOwn && <Badge>{words.ownChannel}</Badge>}
      </div>
      {words.sentences[name] && <p className="text-small">{words.sentences[name]}</p>}
      {!channel.isEnabled && minutes && <p className="text-small text-muted">{words.takes(minutes)}</p>}
      {health && <p className="text-small text-muted">{words.counts(health.received, health.sent)}</p>}
      {health?.aliveAt !== undefined && (
        <p className="text-small text-muted">
          {words.alive} <Time at={health.aliveAt} />
        </p>
      )}
      {reason && <p className="text-small text-bad">{say(reason)}</p>}
      <Button
        size="small"
        className="mt-auto self-start"
        aria-label={`${open}: ${words.names[name] ?? name}`}
        onClick={onOpen}
      >
        {open}
      </Button>
    </Card>
  );
}

function Stuck({ rows }: { rows: OutboxRow[] }) {
  const words = useTopic(channelsTexts);
  const say = useSay();
  const retry = useMutation("outbox.retry");
  const drop = useMutation("outbox.drop");
  if (rows.length === 0) return null;
  return (
    <ListCard title={words.stuck} items={rows}>
      {({ part: { id, channel, text }, state, attempts, reason }) => (
        <li key={id} className="flex flex-wrap items-start gap-3 px-5 py-3">
          <div className="min-w-0 flex-1 basis-64">
            <p className="line-clamp-2 text-small">{text}</p>
            <p className="flex flex-wrap items-center gap-2 text-small text-muted">
              {words.names[channel] ?? channel} · {words.tries(attempts)}
              <Badge tone={state === "dead" ? "bad" : "warn"}>{words.stuckStates[state]}</Badge>
            </p>
            {reason && <p className="text-small text-bad">{say(reason)}</p>}
          </div>
          <Button size="small" disabled={retry.isRunning} onClick={() => void retry.run({ id })}>
            {words.retry}
          </Button>
          <ConfirmButton
            size="small"
            tone="danger"
            disabled={drop.isRunning}
            title={words.dropTitle}
            hint={words.dropHint}
            onConfirm={() => void drop.run({ id })}
          >
            {words.drop}
          </ConfirmButton>
        </li>
      )}
    </ListCard>
  );
}
