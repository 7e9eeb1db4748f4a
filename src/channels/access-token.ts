// A token that a platform gives for a while: asked for when it is needed, and again before it ends. Knows no platform.
import type { Clock } from "../lib/clock.ts";

const spareMs = 60_000;

export class AccessToken {
  readonly #ask: () => Promise<{ token: string; seconds: number }>;
  readonly #clock: Clock;
  #current: Promise<string> | undefined;
  #endsAt = 0;

  constructor(ask: () => Promise<{ token: string; seconds: number }>, clock: Clock) {
    this.#ask = ask;
    this.#clock = clock;
  }

  get(): Promise<string> {
    if (this.#current === undefined || this.#clock.elapsed() >= this.#endsAt) this.#current = this.#renew();
    return this.#current;
  }

  /** The platform no longer takes it. */
  forget(): void {
    this.#current = undefined;
  }

  async #renew(): Promise<string> {
    // Others wait for this one.
    this.#endsAt = Number.POSITIVE_INFINITY;
    try {
      const { token, seconds } = await this.#ask();
      this.#endsAt = this.#clock.elapsed() + Math.max(spareMs, seconds * 1000 - spareMs);
      return token;
    } catch (error) {
      this.forget();
      throw error;
    }
  }
}
