// The gateway as a process of its own that can be killed and restarted under the same address, with a model on
// loopback that a test decides for.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Client, createHttpClient, type GatewayAddress } from "../../src/api/client.ts";
import { ignoreMissing } from "../../src/storage/files/plain-file.ts";
import { words } from "./english.ts";
import { eventually } from "./eventually.ts";
import { type FakeModel, type FakeModelReply, type FakeModelRequest, startFakeModel } from "./fake-model.ts";
import { findFreePort } from "./free-port.ts";
import { configFor, createProgramHome, nanobot, type ProgramHome } from "./run-program.ts";
import { type Program, startProgram } from "./start-program.ts";

export interface GatewayProgram extends ProgramHome {
  url: string;
  model: FakeModel;
  client: Client;
  start(): Promise<Program>;
  program: Program;
  /** As a loss of power does it. */
  kill(): Promise<void>;
}

export interface GatewayProgramOptions {
  answer(request: FakeModelRequest, index: number): FakeModelReply;
  /** That its host lists. */
  models?: object[];
  config?: Record<string, unknown>;
  env?: NodeJS.ProcessEnv;
}

/** Ends with the test. */
export async function startGatewayProgram(options: GatewayProgramOptions): Promise<GatewayProgram> {
  const model = await startFakeModel(options.answer, options.models);
  const config = configFor(model.url, { memory: { autoRecall: false }, ...options.config });
  const home = await createProgramHome(config, options.env);
  const port = await findFreePort();
  const readAddress = async (): Promise<GatewayAddress | undefined> => {
    const text = await readFile(join(home.home, "run", "gateway.json"), "utf8").catch(ignoreMissing);
    return text && JSON.parse(text);
  };
  const gateway: GatewayProgram = {
    ...home,
    url: `http://127.0.0.1:${port}`,
    model,
    program: undefined as unknown as Program,
    client: undefined as unknown as Client,
    async start() {
      const program = startProgram(nanobot("gateway", "--port", String(port)), { env: home.env });
      await program.waitFor(words.gateway.stopHint);
      // One that was killed has left its own.
      await eventually(async () => (await readAddress())?.pid).toBe(program.pid);
      const address = (await readAddress()) as GatewayAddress;
      Object.assign(gateway, { program, url: address.url, client: createHttpClient(address) });
      return program;
    },
    async kill() {
      gateway.program.kill("SIGKILL");
      await gateway.program.ended;
    },
  };
  await gateway.start();
  return gateway;
}
