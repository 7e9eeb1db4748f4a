// The command by which a person calls this program here: its name where that is installed, otherwise npx, in the folder
// of the checkout or project. All texts that name a command use it.
import { existsSync, realpathSync } from "node:fs";
import { delimiter, join, relative, sep } from "node:path";
import { packageRoot } from "./package-root.ts";

export interface StartFacts {
  /** Of the package. */
  root: string;
  cwd: string;
  /** Folders in which programs are looked for. */
  folders: string[];
  /** The words behind the program's name. */
  words: readonly string[];
}

export function chooseCommand({ root, cwd, folders, words }: StartFacts): string {
  const project = findProject(root);
  // A service has few folders in its PATH; npm links programs next to its lib folder.
  const installed = [...folders, join(project, "..", "bin")];
  if (installed.some((folder) => leadsTo(folder, root))) return "nanobot";
  // What a gateway says is read elsewhere, too, where a path of this machine is of no use.
  const isNear = !relative(project, cwd).startsWith("..") || words[0] === "gateway";
  return isNear ? "npx nanobot" : `npx --prefix ${quote(project)} nanobot`;
}

/** Where npx finds the program: the folder that has it among its modules, or its own. */
function findProject(root: string): string {
  const [above = root] = root.split(`${sep}node_modules${sep}`);
  return above;
}

/** Not in a folder that npm adds to the PATH while one of its commands runs. */
function leadsTo(folder: string, root: string): boolean {
  if (folder.endsWith(join("node_modules", ".bin"))) return false;
  if (existsSync(join(folder, "nanobot.cmd"))) return join(folder, "node_modules", "nanobot") === root;
  const program = join(folder, "nanobot");
  return existsSync(program) && realpathSync(program) === join(realpathSync(root), "bin", "nanobot.mjs");
}

function quote(path: string): string {
  return /^[\w./\\:@+-]+$/.test(path) ? path : `"${path}"`;
}

export const nanobot = chooseCommand({
  root: packageRoot,
  cwd: process.cwd(),
  folders: (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== ""),
  words: process.argv.slice(2),
});

/** The command that starts the gateway with these options, as it was started: by npm, or by the program's name. */
export function toStartCommand(options: string, env: NodeJS.ProcessEnv = process.env): string {
  return env.npm_lifecycle_event === "start" ? `npm start -- ${options}` : `${nanobot} gateway ${options}`;
}

/** The command that installs packages where this program finds them. */
export function toInstallCommand(packages: string[], root = packageRoot): string {
  // npm's folder for all users belongs to no project.
  const isGlobal = !existsSync(join(findProject(root), "package.json"));
  return `npm install ${isGlobal ? "--global " : ""}${packages.join(" ")}`;
}

/** Another one to try. */
export function toOtherPort(port: number): number {
  return port < 65_535 ? port + 1 : port - 1;
}
