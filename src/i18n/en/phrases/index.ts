// Every coded sentence in English, by topic. Codes are stable: programs recognise them, people read what they stand for.
import { approvalPhrases } from "./approvals.ts";
import { channelPhrases } from "./channels.ts";
import { chatPhrases } from "./chat.ts";
import { configPhrases } from "./config.ts";
import { extensionPhrases } from "./extensions.ts";
import { memoryPhrases } from "./memory.ts";
import { modelPhrases } from "./models.ts";
import { moveInPhrases } from "./move-in.ts";
import { requestPhrases } from "./requests.ts";
import { skillPhrases } from "./skills.ts";
import { storagePhrases } from "./storage.ts";

export const englishPhrases = {
  ...requestPhrases,
  ...chatPhrases,
  ...approvalPhrases,
  ...channelPhrases,
  ...modelPhrases,
  ...configPhrases,
  ...storagePhrases,
  ...memoryPhrases,
  ...extensionPhrases,
  ...skillPhrases,
  ...moveInPhrases,
};
