// What is said about everything that a gateway keeps, topic by topic.
import { englishAnswers } from "./english-answers.ts";
import { englishChannels } from "./english-channels.ts";
import { englishGateway } from "./english-gateway.ts";
import { englishMoney } from "./english-money.ts";
import { englishOutbox, englishPairing } from "./english-pairing.ts";
import { englishSchedule } from "./english-schedule.ts";
import { englishTranscription } from "./english-transcription.ts";

export const englishHouse = {
  gateway: englishGateway,
  channels: englishChannels,
  transcription: englishTranscription,
  schedule: englishSchedule,
  money: englishMoney,
  pairing: englishPairing,
  outbox: englishOutbox,
  answers: englishAnswers,
};
