// The catalogue in English. Its shape is the type of every other language: functions only interpolate.
import { englishChat } from "./chat.ts";
import { englishCli } from "./cli.ts";
import { englishDemo } from "./demo.ts";
import { englishExtensions } from "./extensions.ts";
import { englishGateway } from "./gateway.ts";
import { englishGuards } from "./guards.ts";
import { englishMemory } from "./memory.ts";
import { englishPhrases } from "./phrases/index.ts";
import { englishSchedule } from "./schedule.ts";
import { englishStatus } from "./status.ts";

export const english = {
  ...englishCli,
  ...englishChat,
  ...englishStatus,
  ...englishMemory,
  ...englishGuards,
  ...englishExtensions,
  ...englishGateway,
  ...englishSchedule,
  ...englishDemo,
  /** Coded sentences: made as data, rendered by `say`. */
  phrases: englishPhrases,
};
