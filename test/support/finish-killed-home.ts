// One home of 0.1.0 whose process died at a step: what is done with it by the program of today, and by whom it is checked.
import { expect } from "vitest";
import { eventually } from "./eventually.ts";
import { layDown } from "./fixture-home.ts";
import { type KilledStep, killedCommand, killedSteps, toQuestion } from "./killed-steps.ts";
import {
  findFaults,
  ownerChat,
  readOpenRows,
  readSessions,
  readSummaries,
  type Serve,
  say,
  toldIn,
} from "./old-home.ts";

const position = (end: string) => killedSteps.findIndex(({ name }) => name.endsWith(end));

export async function finishKilledHome(
  { name }: KilledStep,
  serve: Serve,
  program?: string[],
): Promise<void> {
  await using scene = await layDown(`killed-${name}`, program);
  const home = scene.see();
  const before = await readSessions(home);
  const step = position(name);
  const isClosed = name.endsWith("summarised");
  // The platform was never told that its message was taken, and hands it over again.
  if (step < position("delivered")) say(scene, ownerChat, toQuestion(killedCommand), { message_id: 501 });
  const stop = await serve(scene);
  const answer = step < position("sent") ? ["Answer to #b1."] : [];
  await eventually(() => toldIn(scene, ownerChat)).toEqual(answer);
  if (isClosed) await eventually(() => readSummaries(scene.see("workspace"))).toEqual(["Summary of #a1."]);
  say(scene, ownerChat, "Still there? #c1");
  await eventually(() => toldIn(scene, ownerChat).at(-1)).toBe("Answer to #c1.");
  await stop();

  expect(toldIn(scene, ownerChat)).toEqual([...answer, "Answer to #c1."]);
  // The reply with the call was stored, and the command never began: nobody can know.
  const effects = isClosed || name.endsWith("reply") ? [] : ["effect"];
  expect(await scene.readEffects()).toEqual(effects);
  const after = await readSessions(home);
  expect(findFaults(before, after)).toEqual([]);
  const said = [...after.values()].map(({ messages }) => messages.map(({ role }) => String(role)));
  const turn = ["user", "assistant"];
  const killed = ["user", "assistant", "tool", "assistant"];
  expect(said).toEqual(isClosed ? [turn, turn] : [[...turn, ...killed, ...turn]]);
  expect(readOpenRows(home)).toEqual([]);
  expect(await readSummaries(scene.see("workspace"))).toEqual(isClosed ? ["Summary of #a1."] : []);
}
