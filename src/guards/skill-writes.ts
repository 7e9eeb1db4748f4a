// Writing a skill is writing instructions for later turns: it is asked about, whatever tool does it.
import { join } from "node:path";
import { phrase } from "../i18n/phrase.ts";
import type { FileRoots } from "./file-roots.ts";
import { isInside } from "./path-text.ts";
import type { Judge } from "./with-approval.ts";
import { describeWrite } from "./write-detail.ts";

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
