// A home with skills in a temporary folder, and a loader that counts what it reads.
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createProgramLookup } from "../../src/guards/sandbox/child-environment.ts";
import { SkillsLoader, type SkillsLoaderOptions } from "../../src/skills/loader.ts";
import { readFirstBytes } from "../../src/storage/files/folder-entries.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

export interface SkillsHome {
  home: string;
  workspace: string;
  /** Paths from the home, in the order of reading. */
  reads: string[];
  createLoader(options?: Partial<SkillsLoaderOptions>): SkillsLoader;
  /** A path that ends with `@` becomes a link to the content. */
  write(path: string, content: string | Uint8Array): Promise<void>;
}

/** `files` by path from the home; user skills are in `skills/`, those of the workspace in `workspace/skills/`. */
export async function createSkillsHome(files: Record<string, string | Uint8Array> = {}): Promise<SkillsHome> {
  const home = await createTemporaryFolder();
  const workspace = join(home, "workspace");
  const reads: string[] = [];
  const skills: SkillsHome = {
    home,
    workspace,
    reads,
    async write(path, content) {
      const target = join(home, path.replace(/@$/, ""));
      await mkdir(dirname(target), { recursive: true });
      if (path.endsWith("@")) await symlink(String(content), target);
      else await writeFile(target, content);
    },
    createLoader: (options = {}) =>
      new SkillsLoader({
        home,
        workspace,
        builtIn: join(home, "built-in"),
        env: { HOME: home, EMPTY: "" },
        platform: "linux",
        programs: createProgramLookup("/usr/bin:/bin"),
        tools: () => ["cron"],
        read(path, limit) {
          reads.push(path.slice(home.length + 1));
          return readFirstBytes(path, limit);
        },
        ...options,
      }),
  };
  for (const [path, content] of Object.entries(files)) await skills.write(path, content);
  return skills;
}

export function skillText(name: string, extra = "", body = "Do it."): string {
  return `---\nname: ${name}\ndescription: Does ${name}.\n${extra}---\n\n${body}\n`;
}
