import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { systemClock } from "../lib/clock.ts";
import { silentLog } from "../lib/log.ts";
import { createHomeLock } from "../storage/home-lock.ts";
import { SessionManager } from "../storage/sessions/session-manager.ts";
import { Upkeep, type UpkeepOptions } from "./upkeep.ts";

/** Ends one conversation, and another so many steps of the engine after the first was looked at. */
async function endTwo(steps: number): Promise<string[]> {
  const root = await createTemporaryFolder();
  const store = await SessionManager.open({
    root: join(root, "sessions"),
    workspace: join(root, "workspace"),
    clock: systemClock,
    log: silentLog,
  });
  const lock = createHomeLock({ home: root, clock: systemClock });
  const upkeep = new Upkeep({
    pending: store.pending,
    lock,
    clock: systemClock,
    log: silentLog,
  } as unknown as UpkeepOptions);
  onTestFinished(async () => {
    await upkeep.close();
    lock.close();
  });
  const looked: string[] = [];
  const isLooking = Promise.withResolvers<void>();
  const firstIsOver = Promise.withResolvers<never>();
  const secondMayEnd = Promise.withResolvers<void>();
  upkeep.stay(({ key }) => {
    looked.push(key);
    isLooking.resolve();
    return key === "cli:first" ? firstIsOver.promise : Promise.reject(new Error("not today"));
  });
  const end = async (key: string, isHeld: boolean) => {
    const session = await store.open(key, "owner");
    await session.append([{ id: "1", turn: "1", message: { role: "user", content: "hi" } }]);
    const close: SessionManager["close"] = async (...given) => {
      const wasThere = await store.close(...given);
      if (isHeld) await secondMayEnd.promise;
      return wasThere;
    };
    await upkeep.endConversation({ close } as SessionManager, key, "owner");
  };
  await end("cli:first", false);
  await isLooking.promise;
  const ending = end("cli:second", true);
  await expect.poll(() => store.list("owner")).toEqual([]);
  firstIsOver.reject(new Error("not today"));
  for (let step = 0; step < steps; step += 1) await undefined;
  secondMayEnd.resolve();
  await ending;
  await expect.poll(() => looked).toContain("cli:second");
  return looked;
}

it.each(Array.from({ length: 24 }, (_, steps) => steps))(
  "archives a conversation that ends %i steps after the last look at those that wait",
  async (steps) => {
    expect(await endTwo(steps)).toContain("cli:second");
  },
);
