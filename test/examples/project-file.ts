// Another list of files: what PROJECT.md says is in every prompt, after the usual ones.
import { type ContextExtensions, defaultBootstrapFiles } from "../../src/index.ts";

export const withProjectFile: ContextExtensions = {
  bootstrapFiles: [...defaultBootstrapFiles, "PROJECT.md"],
};
