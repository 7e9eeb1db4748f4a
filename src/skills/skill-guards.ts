// Skills and the guards. A skill is instructions for later turns: untrusted skills have a label, the owner is asked before
// one is written, and skills that the assistant wrote are recorded, because those are never `always`.
import { join } from "node:path";
import { describeWrite } from "../guards/approval/describe-effect.ts";
import type { Judge } from "../guards/approval/with-approval.ts";
import type { FileRoots } from "../guards/files/file-roots.ts";
import { isInside, toRealRoot, toShownPath } from "../guards/files/real-path.ts";
import { phrase } from "../i18n/phrase.ts";
import { toLabel } from "../lib/labels.ts";
import type { ToolWrapper } from "../runner/tool.ts";
import type { SkillsLoader } from "./loader.ts";

/** "" for files that belong to no skill; undefined for skills that came with the program or that the owner has allowed. */
export async function findSkillLabel(skills: SkillsLoader, path: string): Promise<string | undefined> {
  const root = skills
    .roots()
    .map(toRealRoot)
    .find((folder) => isInside(path, folder));
  if (root === undefined) return "";
  const entries = (await skills.survey()).list();
  const entry = entries.find(({ folder }) => isInside(path, toRealRoot(folder)));
  const isKnown = entry !== undefined && (entry.isAllowed || entry.isGranted);
  if (entry?.source === "built-in" || isKnown) return undefined;
  return toLabel("skill", entry?.name ?? toShownPath(path, root).split("/", 1)[0]);
}

export function createSkillWriteJudge(roots: FileRoots): Judge {
  return async (effect, { origin }) => {
    if (effect.type !== "write") return { type: "allow" };
    const path = await roots.resolveWrite(effect.path, origin);
    if (!isInside(path, join(roots.rootFor(origin), "skills"))) return { type: "allow" };
    const shown = roots.display(path, origin);
    return {
      type: "ask",
      request: {
        phrase: phrase("approval.write-skill", { path: shown }),
        detail: await describeWrite(effect, roots, origin),
        reasons: [phrase("approval.skill")],
        risk: phrase("approval.risk-instructions"),
        subject: `write ${shown}`,
      },
    };
  };
}

export function recordSkillWrites(
  skills: Pick<SkillsLoader, "recordAgentWritten">,
  roots: Pick<FileRoots, "resolveWrite">,
): ToolWrapper {
  return (tool) => {
    const { effects } = tool;
    if (effects === undefined) return tool;
    return {
      ...tool,
      async execute(args, context) {
        const result = await tool.execute(args, context);
        for (const effect of effects(args)) {
          if (effect.type !== "write") continue;
          await skills.recordAgentWritten(await roots.resolveWrite(effect.path, context.origin));
        }
        return result;
      },
    };
  };
}
