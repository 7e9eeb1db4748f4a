// 关于网关所管的一切，按主题分。
import { chineseAnswers } from "./chinese-answers.ts";
import { chineseChannels } from "./chinese-channels.ts";
import { chineseGateway } from "./chinese-gateway.ts";
import { chineseMoney } from "./chinese-money.ts";
import { chineseOutbox, chinesePairing } from "./chinese-pairing.ts";
import { chineseSchedule } from "./chinese-schedule.ts";
import { chineseTranscription } from "./chinese-transcription.ts";
import type { englishHouse } from "./english-house.ts";

export const chineseHouse: typeof englishHouse = {
  gateway: chineseGateway,
  channels: chineseChannels,
  transcription: chineseTranscription,
  schedule: chineseSchedule,
  money: chineseMoney,
  pairing: chinesePairing,
  outbox: chineseOutbox,
  answers: chineseAnswers,
};
