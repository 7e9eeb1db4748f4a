// Control made of the parts themselves: in the gateway of the running ones, in another command of their files.
import type { Outbox } from "../bus/outbox.ts";
import type { PairingStore } from "../channels/pairing-store.ts";
import type { Ledger } from "../llm/ledger.ts";
import type { CronService } from "../schedule/cron-service.ts";
import type { Control, GatewayStatus } from "../server/control.ts";

export interface ControlParts {
  cron: CronService;
  pairing: PairingStore;
  outbox: Outbox;
  ledger: Ledger;
  status(): GatewayStatus;
  /** Begins to end the gateway. */
  stop(): void;
}

export function buildControl({ cron, pairing, outbox, ledger, status, stop }: ControlParts): Control {
  return {
    status: async () => status(),
    async stop() {
      stop();
      return { isStopping: true };
    },
    listOutbox: async () => outbox.list(),
    retryOutbox: ({ id }) => outbox.retry(id),
    dropOutbox: ({ id }) => outbox.drop(id),
    listJobs: () => cron.list(),
    addJob: (job) => cron.add(job),
    removeJob: ({ id }) => cron.remove(id),
    enableJob: ({ id, enabled }) => cron.setEnabled(id, enabled),
    runJob: ({ id }) => cron.runNow(id),
    listPairing: async () => ({ pending: await pairing.listPending(), paired: await pairing.list() }),
    approvePairing: ({ code, role, person }) => pairing.approve(code, { role, ...(person && { person }) }),
    denyPairing: ({ code }) => pairing.deny(code),
    revokePairing: ({ channel, senderId }) => pairing.revoke(channel, senderId),
    reportUsage: async ({ by, from = 0 }) => ledger.report(by, { from }),
  };
}
