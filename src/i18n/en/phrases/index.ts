// Every coded sentence in English, by topic. Codes are stable: programs recognise them, people read their sentences.
import { approvalPhrases } from "./approvals.ts";
import { channelPhrases } from "./channels.ts";
import { configPhrases } from "./config.ts";
import { extensionPhrases } from "./extensions.ts";
import { memoryPhrases } from "./memory.ts";
import { modelPhrases } from "./models.ts";
import { requestPhrases } from "./requests.ts";
import { skillPhrases } from "./skills.ts";
import { storagePhrases } from "./storage.ts";

export const englishPhrases = {
  ...requestPhrases,
  ...approvalPhrases,
  ...channelPhrases,
  ...modelPhrases,
  ...configPhrases,
  ...storagePhrases,
  ...memoryPhrases,
  ...extensionPhrases,
  ...skillPhrases,
};
