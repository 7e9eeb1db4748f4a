// The words of the language that was chosen, for components.
import { createContext, useContext } from "react";
import { english, type Words } from "./index.ts";

export const WordsContext = createContext<Words>(english);

export const useWords = (): Words => useContext(WordsContext);
