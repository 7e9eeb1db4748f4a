// The notes of runtime layers for one message, all at once. One that fails, is late or too long never fails the turn.
import type { Origin } from "../bus/types.ts";
import { untilAborted } from "../lib/abort.ts";
import type { Clock } from "../lib/clock.ts";
import { toLabel } from "../lib/labels.ts";
import type { Log } from "../lib/log.ts";
import { cutMiddle, toPlainLine } from "../lib/text.ts";
import { ownerScope, scopeOf } from "../storage/scope.ts";
import type { RuntimeLayer } from "../tools/runtime-layer.ts";

export interface NotesOptions {
  clock: Clock;
  log: Log;
  /** As they are allowed now. */
  layers(): Promise<readonly RuntimeLayer[]>;
}

export interface TakenNote {
  note: string;
  labels: string[];
}

const mostLayers = 8;
const longestNote = 2_000;
const longestName = 60;
const patienceMs = 1_000;

export async function takeNotes(
  { clock, log, layers }: NotesOptions,
  { text, origin }: { text: string; origin: Origin },
): Promise<TakenNote[]> {
  const isPrivate = scopeOf(origin) === ownerScope;
  const asked = (await layers()).filter(({ isForEveryone }) => isPrivate || isForEveryone === true);
  if (asked.length === 0) return [];
  const isOver = new AbortController();
  void clock.sleep(patienceMs, isOver.signal).then(
    () => isOver.abort(new Error(`no note within ${patienceMs} ms`)),
    () => {},
  );
  const { channel, chatId, person } = origin;
  const message = { text, channel, chatId, person, now: clock.now(), signal: isOver.signal };
  const taken = asked.slice(0, mostLayers).map(async (layer): Promise<TakenNote | undefined> => {
    try {
      const said: unknown = await untilAborted(askLayer(layer, message), isOver.signal);
      if (typeof said !== "string" || said.trim() === "") return undefined;
      const name = toPlainLine(layer.name, longestName);
      const labels = layer.isFromOutside === false ? [] : [toLabel("layer", name)];
      return { note: `From the layer ${name}:\n${cutMiddle(said.trim(), longestNote)}`, labels };
    } catch (error) {
      log.warn("runtime-layer-failed", { layer: toPlainLine(layer.name, longestName), error });
      return undefined;
    }
  });
  const notes = await Promise.all(taken);
  isOver.abort();
  return notes.filter((note) => note !== undefined);
}

/** What it throws at once is a rejection, too. */
async function askLayer(layer: RuntimeLayer, message: Parameters<RuntimeLayer["note"]>[0]): Promise<unknown> {
  return layer.note(message);
}
