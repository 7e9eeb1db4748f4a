// Control made of the parts themselves: in the gateway of the running ones, in another command of their files.

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

export function buildControl(parts: ControlParts): Control {
  const { bus, pairing, status, stop, createWebLink, signOutWeb } = parts;

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
    listPairing: async () => ({ pending: await pairing.listPending(), paired: await pairing.list() }),
    approvePairing: ({ code, role, person }) => pairing.approve(code, { role, ...(person && { person }) }),
    denyPairing: ({ code }) => pairing.deny(code),
    revokePairing: ({ channel, senderId }) => pairing.revoke(channel, senderId),
  };
}
