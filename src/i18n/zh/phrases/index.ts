// Every coded sentence in Chinese, by topic.
import type { PhraseCatalogue } from "../../phrase.ts";
import { approvalPhrases } from "./approvals.ts";
import { channelPhrases } from "./channels.ts";
import { configPhrases } from "./config.ts";
import { extensionPhrases } from "./extensions.ts";
import { memoryPhrases } from "./memory.ts";
import { modelPhrases } from "./models.ts";
import { requestPhrases } from "./requests.ts";
import { skillPhrases } from "./skills.ts";
import { storagePhrases } from "./storage.ts";

export const chinesePhrases: PhraseCatalogue = {
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
