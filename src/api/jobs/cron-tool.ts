// What the tools cron and goal work with: the operations about jobs and goals, called in the chat of their turn.
import { UserError } from "../../i18n/user-error.ts";
import { createWords, say } from "../../i18n/words.ts";
import type { JsonObject } from "../../lib/json-tree.ts";
import { withLabels } from "../../lib/labels.ts";
import { nanobot } from "../../lib/program-command.ts";
import { type ToolContext, ToolError } from "../../runner/tool.ts";
import { listSteps } from "../../schedule/goals.ts";
import type { UndoLog } from "../../storage/changes/undo-log.ts";
import { formatJob } from "../../storage/jobs/job.ts";
import { scopeOf } from "../../storage/scope.ts";
import type { CronToolOptions } from "../../tools/cron.ts";
import type { GoalToolOptions } from "../../tools/goal.ts";
import type { ClientCaller, ClientFor } from "../client.ts";
import type { JobRecord } from "./jobs.ts";

/** For the model: a field, and what to do about it. The skill says it to the user in their language. */
const unserved = `gateway: not-running\nTell the user that it happens only while the gateway runs: ${nanobot} gateway`;

export function createCronTool(
  clientFor: ClientFor,
  {
    timeZone,
    canReach,
    undo,
  }: Pick<CronToolOptions, "timeZone" | "canReach"> & { undo: Pick<UndoLog, "recordJob"> },
): CronToolOptions {
  return {
    timeZone,
    canReach,
    async open(context) {
      const client = await clientFor(toToolCaller(context));
      const { sessionKey, turnId, origin } = context;
      const place = { scope: scopeOf(origin), sessionKey, turnId };
      return {
        list: async () => (await client.call("jobs.list", {})).jobs,
        async add(draft) {
          const labelled = { ...draft, ...withLabels([...context.labels]) };
          // A call that is run again after a crash makes no second job.
          const job = await forModel(client.call("jobs.add", labelled, { requestId: context.callId }));
          await undo.recordJob(place, { id: job.id, before: null, after: toStored(job) });
          return job;
        },
        async remove(id) {
          const job = await forModel(client.call("jobs.remove", { id }));
          await undo.recordJob(place, { id, before: toStored(job), after: null });
          return job;
        },
        ...(!client.isServed && { note: unserved }),
      };
    },
  };
}

function toStored({ state: _, ...job }: JobRecord): JsonObject {
  return formatJob({ ...job, raw: {} });
}

/** What the tool goal works with. */
export function createGoalTool(clientFor: ClientFor): GoalToolOptions {
  return {
    async plan(plan, context) {
      const client = await clientFor(toToolCaller(context));
      const params = { ...plan, ...withLabels([...context.labels]) };
      const { goal } = await client.call("goals.plan", params, { requestId: context.callId });
      return goal && listSteps(goal.steps);
    },
  };
}

/** Models are spoken to in English. */
async function forModel<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof UserError) throw new ToolError(say(error.phrase, createWords("english")));
    throw error;
  }
}

/** Calls an operation as the person of the turn, in its chat. */
function toToolCaller({ origin, sessionKey }: ToolContext): ClientCaller {
  const { person, role, group } = origin;
  return { person, role, ...(group !== undefined && { group }), chat: { sessionKey, origin } };
}
