// A proxy that did not open a tunnel, as data: what to do about it is said by the catalogue.

export class ProxyRefusalError extends Error {
  override readonly name = "ProxyRefusalError";
  readonly code = "EPROXY";
  readonly status: number;

  constructor(status: number) {
    super(`tunnel refused (${status})`);
    this.status = status;
  }
}
