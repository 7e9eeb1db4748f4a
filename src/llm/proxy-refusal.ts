// A proxy that did not open a tunnel.
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { PhrasedError } from "../i18n/user-error.ts";

export class ProxyRefusalError extends PhrasedError {
  override readonly name = "ProxyRefusalError";
  override readonly phrase: Phrase;
  readonly code = "EPROXY";
  readonly status: number;

  constructor(status: number) {
    super(`tunnel refused (${status})`);
    this.status = status;
    this.phrase = phrase(status === 407 ? "setup.proxy-password" : "setup.proxy-refused", { status });
  }
}
