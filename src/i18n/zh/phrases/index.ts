// Every coded sentence in Chinese, by topic.
import type { PhraseCatalogue } from "../../phrase.ts";
import { configPhrases } from "./config.ts";
import { filePhrases } from "./files.ts";
import { homePhrases } from "./home.ts";
import { jobPhrases } from "./jobs.ts";
import { requestPhrases } from "./requests.ts";

export const chinesePhrases: PhraseCatalogue = {
  ...requestPhrases,
  ...jobPhrases,
  ...configPhrases,
  ...filePhrases,
  ...homePhrases,
};
