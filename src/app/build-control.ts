// Control made of the parts themselves: in the gateway of the running ones, in another command of their files.

import type { NewJob } from "../schedule/cron-service.ts";
import { keepOrigin } from "../schedule/scheduled-message.ts";
import type { AssistantControl, Control, GatewayStatus, WebLink, WebLinkWish } from "../server/control.ts";
import type { OpenedState } from "./open-state.ts";

export interface ControlParts extends OpenedState {
  assistant: AssistantControl;
  status(): Promise<GatewayStatus>;
  /** Begins to end the gateway. */
  stop(): void;
  createWebLink(wish: WebLinkWish): WebLink;
  signOutWeb(person?: string): Promise<number>;
}

/** The owner's conversation in the browser for the answers of what was planned there. */
export const plannedHere = { channel: "web", chatId: "schedule" };

export function buildControl(parts: ControlParts): Control {
  const { bus, ledger, cron, pairing, currency, status, stop, createWebLink, signOutWeb } = parts;

  /** Of a chat that was named from outside: whoever speaks there decides what its jobs may do. */
  async function findOrigin({
    channel,
    chatId,
  }: Pick<NewJob, "channel" | "chatId">): Promise<NewJob["origin"]> {
    if (channel === plannedHere.channel && chatId === plannedHere.chatId)
      return { person: "owner", role: "owner", format: "markdown" };
    const last = bus.findLastOrigin(
      (origin) => origin.channel === channel && origin.chatId === chatId && origin.cause === "user",
    );
    if (last !== undefined) return keepOrigin(last);
    const paired = await pairing.find(channel, chatId);
    return paired === undefined ? {} : { person: paired.person, role: paired.role };
  }

  return {
    ...parts.assistant,
    status: () => status(),
    async stop() {
      stop();
      return { isStopping: true };
    },
    createWebLink: async (wish) => createWebLink(wish),
    signOutWeb: async ({ person }) => ({ ended: await signOutWeb(person) }),
    listOutbox: async () => bus.outbox.list(),
    retryOutbox: ({ id }) => bus.outbox.retry(id),
    dropOutbox: ({ id }) => bus.outbox.drop(id),
    listJobs: (wish) => cron.list(wish),
    async addJob(job) {
      const isKnown = Object.keys(job.origin).length > 0;
      return cron.add(isKnown ? job : { ...job, origin: await findOrigin(job) });
    },
    async editJob({ id, channel, chatId, ...edit }) {
      const chat = channel !== undefined && chatId !== undefined ? { channel, chatId } : undefined;
      const origin = chat && (await findOrigin(chat));
      return cron.edit(id, { ...edit, ...chat, ...(origin && { origin }) });
    },
    removeJob: ({ id }) => cron.remove(id),
    enableJob: ({ id, enabled }) => cron.setEnabled(id, enabled),
    runJob: ({ id }) => cron.runNow(id),
    listPairing: async () => ({ pending: await pairing.listPending(), paired: await pairing.list() }),
    approvePairing: ({ code, role, person }) => pairing.approve(code, { role, ...(person && { person }) }),
    denyPairing: ({ code }) => pairing.deny(code),
    revokePairing: ({ channel, senderId }) => pairing.revoke(channel, senderId),
    reportUsage: async ({ by, from, to }) => ({ currency, rows: ledger.report(by, { from, to }) }),
  };
}
