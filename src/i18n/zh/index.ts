// The catalogue in Chinese. The compiler keeps its shape equal to the English one.
import type { english } from "../en/index.ts";
import { chineseChat } from "./chat.ts";
import { chineseCli } from "./cli.ts";
import { chineseDemo } from "./demo.ts";
import { chineseExtensions } from "./extensions.ts";
import { chineseGateway } from "./gateway.ts";
import { chineseGuards } from "./guards.ts";
import { chineseMemory } from "./memory.ts";
import { chinesePhrases } from "./phrases/index.ts";
import { chineseSchedule } from "./schedule.ts";
import { chineseStatus } from "./status.ts";

export const chinese: typeof english = {
  ...chineseCli,
  ...chineseChat,
  ...chineseStatus,
  ...chineseMemory,
  ...chineseGuards,
  ...chineseExtensions,
  ...chineseGateway,
  ...chineseSchedule,
  ...chineseDemo,
  phrases: chinesePhrases,
};
