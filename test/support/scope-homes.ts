// A gateway that can be ended and killed, and goes on with the same home: in this process, where a kill leaves the files as
// they were at that moment, or as a process of its own.
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildGateway, type Gateway } from "../../src/app/build-gateway.ts";
import { createWords } from "../../src/i18n/words.ts";
import { resolveHome } from "../../src/storage/home.ts";
import { type FakeModelReply, type FakeModelRequest, startFakeModel } from "./fake-model.ts";
import { type GatewayProgram, startGatewayProgram } from "./gateway-program.ts";
import { configFor } from "./run-program.ts";

export interface ScopeHome
  extends AsyncDisposable,
    Readonly<Pick<GatewayProgram, "home" | "workspace" | "url" | "client">> {
  requests: readonly FakeModelRequest[];
  /** Ends it in order and starts it again. */
  restart(): Promise<void>;
  kill(): Promise<void>;
}

export interface ScopeHomeOptions {
  answer(request: FakeModelRequest): FakeModelReply;
  config: Record<string, unknown>;
}

export type OpenScopeHome = (options: ScopeHomeOptions) => Promise<ScopeHome>;

export const openHomeHere: OpenScopeHome = async ({ answer, config }) => {
  const model = await startFakeModel(answer);
  const folder = await mkdtemp(join(tmpdir(), "nanobot-scopes-"));
  const home = join(folder, "home");
  await mkdir(home);
  await writeFile(join(home, "config.json"), JSON.stringify(configFor(model.url, config)));
  let life = await live(folder, home);
  return {
    home,
    workspace: join(home, "workspace"),
    requests: model.requests,
    get url() {
      return life.gateway.address.url;
    },
    get client() {
      return life.gateway.client;
    },
    async restart() {
      await life.end();
      life = await live(folder, home);
    },
    async kill() {
      const left = join(folder, "left");
      await cp(home, left, { recursive: true });
      await life.end();
      await rm(home, { recursive: true });
      await rename(left, home);
      life = await live(folder, home);
    },
    async [Symbol.asyncDispose]() {
      await life.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export const openHomeOfProgram: OpenScopeHome = async (options) => {
  const config = { ...options.config, memory: { autoRecall: true } };
  const program = await startGatewayProgram({ ...options, config });
  const end = async () => {
    program.program.kill("SIGTERM");
    await program.program.ended;
  };
  return {
    home: program.home,
    workspace: program.workspace,
    requests: program.model.requests,
    get url() {
      return program.url;
    },
    get client() {
      return program.client;
    },
    async restart() {
      await end();
      await program.start();
    },
    async kill() {
      await program.kill();
      await program.start();
    },
    [Symbol.asyncDispose]: end,
  };
};

interface Life {
  gateway: Gateway;
  /** What runs goes on with the next one. */
  end(): Promise<void>;
}

async function live(folder: string, home: string): Promise<Life> {
  const env = { HOME: folder, NANOBOT_HOME: home, PATH: process.env.PATH };
  const paths = resolveHome({ env });
  const words = createWords("english");
  const page = () => "<!doctype html><title>nanobot</title>";
  const built = await buildGateway({ paths, env, words, port: 0, page, onStop() {}, drainMs: 0 });
  if (!built.ok) throw new Error(built.problems.join("\n"));
  const ending = new AbortController();
  const running = built.gateway.run(ending.signal);
  return {
    gateway: built.gateway,
    async end() {
      ending.abort(new Error("this life is over"));
      await running;
    },
  };
}
