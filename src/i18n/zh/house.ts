// 关于网关所管的一切，按主题分。

import type { englishHouse } from "../en/house.ts";
import { chineseAnswers } from "./answers.ts";
import { chineseChannels } from "./channels.ts";
import { chineseGateway } from "./gateway.ts";
import { chineseMoney } from "./money.ts";
import { chineseOutbox, chinesePairing } from "./pairing.ts";
import { chineseSchedule } from "./schedule.ts";

export const chineseHouse: typeof englishHouse = {
  gateway: chineseGateway,
  channels: chineseChannels,
  schedule: chineseSchedule,
  money: chineseMoney,
  pairing: chinesePairing,
  outbox: chineseOutbox,
  answers: chineseAnswers,
};
