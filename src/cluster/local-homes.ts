// The assistants of one machine next to the first one: each a home below its folder, served by the same process, on its port
// below a path of their own.
import { join } from "node:path";
import { type HomeCard, type Homes, openHomes, toMountPath } from "../api/homes/homes.ts";
import type { GatewayOptions } from "../app/build-gateway.ts";
import { fail, PhrasedError } from "../i18n/user-error.ts";
import { say, type Words } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import type { Mount } from "../server/http/gateway-server.ts";
import type { Asked } from "../server/http/http-server.ts";
import { type HomePaths, openHome } from "../storage/home.ts";
import { findHomeFolder, listHomeFolders } from "../storage/home-folders.ts";
import { holdHome } from "../storage/home-lock.ts";
import { HomeNotBuilt, HomeSupervisor } from "./supervisor.ts";

export interface LocalHomesOptions extends Pick<GatewayOptions, "provider" | "onProblem"> {
  /** Of the first home. */
  paths: HomePaths;
  env: NodeJS.ProcessEnv;
  words: Words;
  clock: Clock;
}

interface LocalHome {
  ending: AbortController;
  ended: Promise<void>;
  problems: string[];
  /** Ends the pause before it is tried again. */
  retry: AbortController;
}

/** The address that they are all found at. */
export type OuterAddress = Pick<Mount, "host" | "publicUrl"> & { url: string };

/** After a config that cannot be used. */
const pauseMs = 5_000;

export class LocalHomes implements Homes {
  readonly #options: LocalHomesOptions;
  readonly #folders: Homes;
  readonly #supervisor = new HomeSupervisor();
  readonly #homes = new Map<string, LocalHome>();
  #outer: OuterAddress | undefined;

  constructor(options: LocalHomesOptions) {
    this.#options = options;
    this.#folders = openHomes(options.paths, options.clock);
  }

  /** All that are there. */
  async begin(outer: OuterAddress): Promise<void> {
    this.#outer = outer;
    for (const name of await listHomeFolders(this.#options.paths)) this.#begin(name, outer);
  }

  async close(): Promise<void> {
    this.#outer = undefined;
    await Promise.all([...this.#homes.keys()].map((name) => this.#end(name)));
  }

  async list(): Promise<HomeCard[]> {
    const cards = await this.#folders.list();
    return cards.map((card) => ({
      ...card,
      isRunning: card.name === "" || this.#supervisor.gatewayOf(card.name) !== undefined,
      problems: this.#homes.get(card.name)?.problems ?? [],
    }));
  }

  async add(name: string): Promise<void> {
    await this.#folders.add(name);
    if (this.#outer !== undefined) this.#begin(name, this.#outer);
  }

  async remove(name: string): Promise<void> {
    await this.#end(name);
    await this.#folders.remove(name);
  }

  /** Whether a request, or a connection that becomes a socket, is for one of them. */
  pass(...asked: Asked): boolean {
    const [incoming, target] = asked;
    const name = /^\/h\/([a-z0-9-]+)(?:[/?]|$)/.exec(incoming.url ?? "")?.[1];
    if (name === undefined || findHomeFolder(this.#options.paths, name) === undefined) return false;
    const gateway = this.#supervisor.gatewayOf(name);
    if (gateway !== undefined) gateway.take(...asked);
    else if ("writeHead" in target) target.writeHead(503, { "retry-after": "2" }).end();
    else target.end("HTTP/1.1 503 \r\nconnection: close\r\n\r\n");
    if (gateway === undefined) this.#homes.get(name)?.retry.abort();
    return true;
  }

  /** Its own page cannot remove a home: it would wait for its own end. */
  #seenFrom(own: string): Homes {
    return {
      list: () => this.list(),
      add: (name) => this.add(name),
      remove: async (name) => {
        if (name === own) throw fail("homes.own");
        await this.remove(name);
      },
    };
  }

  #begin(name: string, outer: OuterAddress): void {
    const home: LocalHome = {
      ...{ ending: new AbortController(), retry: new AbortController() },
      ...{ ended: Promise.resolve(), problems: [] },
    };
    this.#homes.set(name, home);
    home.ended = this.#keepServing(name, home, outer).finally(() => this.#homes.delete(name));
  }

  async #end(name: string): Promise<void> {
    const home = this.#homes.get(name);
    home?.ending.abort(new Error("the home ends"));
    await home?.ended;
  }

  /** Again after a restart that it was asked for, and after a problem: another assistant is not told to end by it. */
  async #keepServing(name: string, home: LocalHome, outer: OuterAddress): Promise<void> {
    const { clock, words, onProblem } = this.#options;
    const { signal } = home.ending;
    for (let isAgain = true; isAgain && !signal.aborted; ) {
      try {
        isAgain = await this.#serve(name, home, outer);
      } catch (error) {
        const problems = toProblems(error, words);
        if (problems.join() !== home.problems.join()) onProblem?.(`${name}: ${problems.join("\n")}`);
        home.problems = problems;
        home.retry = new AbortController();
        await clock.sleep(pauseMs, AbortSignal.any([signal, home.retry.signal])).catch(() => {});
      }
    }
  }

  /** Whether it is to begin again. */
  async #serve(name: string, home: LocalHome, outer: OuterAddress): Promise<boolean> {
    const { words, clock, provider, onProblem } = this.#options;
    const folder = join(this.#options.paths.homes, name);
    const env = { ...withoutSettings(this.#options.env), NANOBOT_HOME: folder };
    const paths = await openHome({ env });
    const release = await holdHome({ home: folder, clock, name: "gateway-lock", patienceMs: 0 }, "gateway");
    const life = new AbortController();
    const signal = AbortSignal.any([home.ending.signal, life.signal]);
    let isRestarting = false;
    const end = (restarts: boolean) => {
      isRestarting ||= restarts;
      life.abort(new Error("asked to end"));
    };
    try {
      await this.#supervisor.serve(name, signal, async (build) => {
        const gateway = await build({
          ...{ paths, env, words, clock, homes: this.#seenFrom(name), mount: toMount(name, outer) },
          ...(provider && { provider }),
          ...(onProblem && { onProblem }),
          onStop: () => end(false),
          onRestart: () => end(true),
        });
        home.problems = [];
        await gateway.run(signal);
      });
    } finally {
      release();
    }
    return isRestarting;
  }
}

function toMount(name: string, { host, publicUrl, url }: OuterAddress): Mount {
  const path = toMountPath(name);
  return { name, path, host, ...(publicUrl && { publicUrl }), mountUrl: url + path };
}

/** What the environment says about settings is said of the first home; keys of hosts are for all. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^NANOBOT_.*__/.test(name)));
}

function toProblems(error: unknown, words: Words): string[] {
  if (error instanceof HomeNotBuilt) return error.problems;
  if (error instanceof PhrasedError) return [say(error.phrase, words)];
  return [error instanceof Error ? error.message : String(error)];
}
