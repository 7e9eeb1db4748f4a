// Control made of the parts themselves: in the gateway of the running ones, in another command of their files.

import type { AssistantControl, Control } from "../server/control.ts";
import type { OpenedState } from "./open-state.ts";

export interface ControlParts extends OpenedState {
  assistant: AssistantControl;
}

export function buildControl(parts: ControlParts): Control {
  const { bus, pairing } = parts;

  return {
    ...parts.assistant,
    listOutbox: async () => bus.outbox.list(),
    retryOutbox: ({ id }) => bus.outbox.retry(id),
    dropOutbox: ({ id }) => bus.outbox.drop(id),
    listPairing: async () => ({ pending: await pairing.listPending(), paired: await pairing.list() }),
    approvePairing: ({ code, role, person }) => pairing.approve(code, { role, ...(person && { person }) }),
    denyPairing: ({ code }) => pairing.deny(code),
    revokePairing: ({ channel, senderId }) => pairing.revoke(channel, senderId),
  };
}
