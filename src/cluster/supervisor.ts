// Gateways of several homes in one process: begun a few at a time, first those that somebody waits for, with slots for turns
// that they share. Knows neither where a home comes from nor why it ends.
import { TurnShare } from "../agent/gate.ts";
import { buildGateway, type Gateway, type GatewayOptions } from "../app/build-gateway.ts";

/** Homes that begin at the same time: more would keep the leases of all from being renewed. */
const mostBeginning = 2;
/** Turns that run at once and wait for nothing. */
const usualTurns = 32;

/** What is wrong with a home itself. */
export class HomeNotBuilt extends Error {
  override name = "HomeNotBuilt";
  readonly problems: string[];

  constructor(problems: string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

export type Build = (options: Omit<GatewayOptions, "share" | "page">) => Promise<Gateway>;

export class HomeSupervisor {
  readonly #share = new TurnShare(usualTurns);
  readonly #gateways = new Map<string, { gateway: Gateway; signal: AbortSignal }>();
  readonly #waiting: Array<{ id: string; go(): void }> = [];
  #beginning = 0;

  /** One that serves, and is not about to end. */
  gatewayOf(id: string): Gateway | undefined {
    const running = this.#gateways.get(id);
    return running?.signal.aborted === false ? running.gateway : undefined;
  }

  /** Somebody asks for it: it begins before others that wait. */
  hurry(id: string): void {
    const at = this.#waiting.findIndex((each) => each.id === id);
    if (at > 0) this.#waiting.unshift(...this.#waiting.splice(at, 1));
  }

  /** Does the work when it is the home's turn to begin; it is told by what it builds when it has begun. */
  async serve(id: string, signal: AbortSignal, work: (build: Build) => Promise<void>): Promise<void> {
    await this.#queue(id);
    let isBeginning = true;
    const begun = () => {
      if (isBeginning) this.#letNext();
      isBeginning = false;
    };
    try {
      await work(async (options) => {
        const built = await buildGateway({ ...options, share: this.#share, page: () => "" });
        if (!built.ok) throw new HomeNotBuilt(built.problems);
        this.#gateways.set(id, { gateway: built.gateway, signal });
        begun();
        return built.gateway;
      });
    } finally {
      begun();
      this.#gateways.delete(id);
    }
  }

  /** Until it may begin. */
  async #queue(id: string): Promise<void> {
    if (this.#beginning >= mostBeginning)
      return new Promise((resolve) => this.#waiting.push({ id, go: resolve }));
    this.#beginning += 1;
  }

  #letNext(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#beginning -= 1;
    else next.go();
  }
}
