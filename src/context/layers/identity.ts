// The first layer: who the assistant is, where it runs, where its files are, and how it works.
import { packageRoot } from "../../lib/package-root.ts";
import {
  type Layer,
  type LayerInput,
  type PromptFiles,
  type PromptFileVersion,
  type RenderedLayer,
  toVersion,
} from "./layer.ts";

export interface Runtime {
  platform: string;
  architecture: string;
  version: string;
}

const platformPolicies: Record<string, string> = {
  win32:
    "Windows: do not assume GNU tools such as grep, sed or awk; use the file tools or native commands. If output is garbled, run the command again with UTF-8 output.",
  darwin:
    "macOS: UTF-8 and the BSD variants of the standard shell tools. Prefer the file tools where they do the job.",
  posix: "POSIX: UTF-8 and the standard shell tools. Prefer the file tools where they do the job.",
};

const ownRuntime: Runtime = {
  platform: process.platform,
  architecture: process.arch,
  version: process.version,
};

/** A person may replace the text by `<workspace>/prompts/<name>.md`; the file tools cannot write there. */
export function createIdentityLayer(
  files: PromptFiles,
  runtime: Runtime = ownRuntime,
  name: "identity" | "subagent" = "identity",
): Layer {
  const file = `prompts/${name}.md`;
  let last: { template: PromptFileVersion; workspace: string; layer: RenderedLayer } | undefined;
  return {
    name,
    async render({ workspace }: LayerInput): Promise<RenderedLayer | undefined> {
      const override = await files.read(workspace, file);
      const template = override ?? (await files.read(packageRoot, `templates/${file}`));
      if (template === undefined) return undefined;
      if (last?.template === template && last.workspace === workspace) return last.layer;
      const values: Record<string, string> = {
        runtime: `${platformName(runtime.platform)} ${runtime.architecture}, Node ${runtime.version}`,
        workspace,
        platform: platformPolicies[runtime.platform] ?? platformPolicies.posix ?? "",
      };
      const text = template.text.replaceAll(/\{\{(\w+)\}\}/g, (whole, key: string) => values[key] ?? whole);
      const source = override ? file : "built in";
      const layer: RenderedLayer = {
        name,
        source,
        text,
        files: [toVersion(file, text)],
        isOutsideBudget: true,
      };
      last = { template, workspace, layer };
      return layer;
    },
  };
}

function platformName(platform: string): string {
  return { linux: "Linux", darwin: "macOS", win32: "Windows" }[platform] ?? platform;
}
