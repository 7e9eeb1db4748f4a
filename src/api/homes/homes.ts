// Operations about the assistants of one machine: each has a home of its own, with its character, model, memory and
// channels.
import * as z from "zod";
import { fail } from "../../i18n/user-error.ts";
import type { Clock } from "../../lib/clock.ts";
import type { HomePaths } from "../../storage/home.ts";
import {
  addHomeFolder,
  findHomeFolder,
  isHomeName,
  listHomeFolders,
  removeHomeFolder,
} from "../../storage/home-folders.ts";
import { operation } from "../operation.ts";

export interface HomeCard {
  /** "" for the first one. */
  name: string;
  /** Of its page, at the address of the gateway. */
  path: string;
  isRunning: boolean;
  /** Why it does not run, one sentence each. */
  problems: string[];
}

/** The homes next to this one. */
export interface Homes {
  list(): Promise<HomeCard[]>;
  add(name: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Of a machine on which no gateway runs. */
export function openHomes(paths: HomePaths, clock: Clock): Homes {
  return {
    async list() {
      const rest = { isRunning: false, problems: [] };
      const names = await listHomeFolders(paths);
      return [
        { name: "", path: "/", ...rest },
        ...names.map((name) => ({ name, path: toHomePath(name), ...rest })),
      ];
    },
    async add(name) {
      if (!isHomeName(name)) throw fail("homes.bad-name");
      if (findHomeFolder(paths, name) !== undefined) throw fail("homes.exists", { name });
      await addHomeFolder(paths, name);
    },
    async remove(name) {
      if (findHomeFolder(paths, name) === undefined) throw fail("homes.unknown", { name });
      await removeHomeFolder(paths, name, clock);
    },
  };
}

/** Without a slash at the end. */
export function toMountPath(name: string): string {
  return `/h/${name}`;
}

export function toHomePath(name: string): string {
  return `${toMountPath(name)}/`;
}

const name = z.string().max(200);

const list = operation({
  name: "homes.list",
  about: "The assistants of this machine, this one among them.",
  access: "owner",
  needs: "installation",
  params: z.strictObject({}),
  run: async ({ homes }) => ({ homes: await homes.list() }),
});

const add = operation({
  name: "homes.add",
  about: "Adds an assistant to this machine: with the model of the first one, and with nothing else of it.",
  access: "owner",
  isAboutAccess: true,
  needs: "installation",
  changes: ["config"],
  params: z.strictObject({ name }),
  async run({ homes }, params) {
    await homes.add(params.name);
    return { name: params.name, path: toHomePath(params.name) };
  },
});

const remove = operation({
  name: "homes.remove",
  about: "Removes an assistant of this machine with all that it knows. It is kept aside for two weeks.",
  access: "owner",
  isAboutAccess: true,
  needs: "installation",
  changes: ["config"],
  params: z.strictObject({ name }),
  async run({ homes }, params) {
    await homes.remove(params.name);
    return { name: params.name };
  },
});

export const homeOperations = [list, add, remove] as const;
