// Every coded sentence in English, by topic. Codes are stable: programs recognise them, people read what they stand for.
import { configPhrases } from "./config.ts";
import { filePhrases } from "./files.ts";
import { homePhrases } from "./home.ts";
import { jobPhrases } from "./jobs.ts";
import { requestPhrases } from "./requests.ts";

export const englishPhrases = {
  ...requestPhrases,
  ...jobPhrases,
  ...configPhrases,
  ...filePhrases,
  ...homePhrases,
};
