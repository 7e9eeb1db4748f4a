// What is said about everything that a gateway keeps, topic by topic.
import { englishAnswers } from "./answers.ts";
import { englishChannels } from "./channels.ts";
import { englishGateway } from "./gateway.ts";
import { englishMoney } from "./money.ts";
import { englishOutbox, englishPairing } from "./pairing.ts";
import { englishSchedule } from "./schedule.ts";

export const englishHouse = {
  gateway: englishGateway,
  channels: englishChannels,
  schedule: englishSchedule,
  money: englishMoney,
  pairing: englishPairing,
  outbox: englishOutbox,
  answers: englishAnswers,
};
