// Every coded sentence in Chinese, by topic.
import type { PhraseCatalogue } from "../../phrase.ts";
import { jobPhrases } from "./jobs.ts";
import { requestPhrases } from "./requests.ts";

export const chinesePhrases: PhraseCatalogue = { ...requestPhrases, ...jobPhrases };
