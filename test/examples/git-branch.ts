// A dynamic layer: the Git branch of the workspace.
import { type ContextExtensions, type Layer, PromptFiles } from "../../src/index.ts";

function createGitBranchLayer(): Layer {
  // Reads a file again only when it has changed.
  const files = new PromptFiles();
  return {
    name: "git-branch",
    async render({ workspace }) {
      const head = await files.read(workspace, ".git/HEAD");
      if (head === undefined) return undefined;
      const branch = head.text.replace("ref: refs/heads/", "");
      const version = { ...head, name: "Git branch", text: branch };
      return { name: "git-branch", source: ".git/HEAD", text: `# Git branch\n\n${branch}`, files: [version] };
    },
  };
}

export const withGitBranch: ContextExtensions = { layers: [createGitBranchLayer()] };
