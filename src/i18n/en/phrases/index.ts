// Every coded sentence in English, by topic. Codes are stable: programs recognise them, people read what they stand for.
import { approvalPhrases } from "./approvals.ts";
import { budgetPhrases } from "./budget.ts";
import { channelFailurePhrases } from "./channel-failures.ts";
import { channelPhrases } from "./channels.ts";
import { chatPhrases } from "./chat.ts";
import { configPhrases } from "./config.ts";
import { dreamPhrases } from "./dream.ts";
import { extensionPhrases } from "./extensions.ts";
import { filePhrases } from "./files.ts";
import { gatewayPhrases } from "./gateway.ts";
import { homePhrases } from "./home.ts";
import { jobPhrases } from "./jobs.ts";
import { mcpPhrases } from "./mcp.ts";
import { memoryPhrases } from "./memory.ts";
import { modelPhrases } from "./model.ts";
import { modelChoicePhrases } from "./model-choice.ts";
import { pairingPhrases } from "./pairing.ts";
import { requestPhrases } from "./requests.ts";
import { setupPhrases } from "./setup.ts";
import { skillPhrases } from "./skills.ts";
import { storagePhrases } from "./storage.ts";
import { transcriptionPhrases } from "./transcription.ts";
import { turnPhrases } from "./turn.ts";

export const englishPhrases = {
  ...requestPhrases,
  ...gatewayPhrases,
  ...chatPhrases,
  ...transcriptionPhrases,
  ...jobPhrases,
  ...approvalPhrases,
  ...pairingPhrases,
  ...modelPhrases,
  ...modelChoicePhrases,
  ...budgetPhrases,
  ...storagePhrases,
  ...turnPhrases,
  ...configPhrases,
  ...filePhrases,
  ...memoryPhrases,
  ...dreamPhrases,
  ...homePhrases,
  ...setupPhrases,
  ...channelPhrases,
  ...channelFailurePhrases,
  ...extensionPhrases,
  ...mcpPhrases,
  ...skillPhrases,
};
