// Everything of a home that is kept in a cluster is encrypted, with a key of its own. What is sealed says where it belongs:
// a block that was moved to another file, place or home, or that is of another version, does not open.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const algorithm = "aes-256-gcm";
const [nonceBytes, tagBytes] = [12, 16];

export class Seal {
  readonly #home: string;
  readonly #keys: Buffer[];

  /** `secret` is the key of the cluster. What was sealed by `also` is read, too: while one key replaces the other. */
  constructor(home: string, secret: string, also?: string) {
    this.#home = home;
    const secrets = also === undefined ? [secret] : [secret, also];
    this.#keys = secrets.map((each) => Buffer.from(hkdfSync("sha256", each, "nanobot home", home, 32)));
  }

  close(bytes: Uint8Array, place: string): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#keys[0] ?? Buffer.alloc(0), nonce);
    cipher.setAAD(Buffer.from(`${this.#home}\n${place}`));
    return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }

  /** Throws when it was not sealed by one of the keys for this place. */
  open(sealed: Buffer, place: string): Buffer {
    const [first = Buffer.alloc(0), second] = this.#keys;
    try {
      return this.#openWith(first, sealed, place);
    } catch (error) {
      if (second === undefined) throw error;
      return this.#openWith(second, sealed, place);
    }
  }

  #openWith(key: Buffer, sealed: Buffer, place: string): Buffer {
    const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes));
    decipher.setAAD(Buffer.from(`${this.#home}\n${place}`));
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
  }
}

/** Where each kind of thing belongs. */
export const places = {
  name: (file: number, version: number) => `name ${file} ${version}`,
  block: (file: number, no: number, version: number) => `block ${file} ${no} ${version}`,
  change: (seq: number, version: number) => `change ${seq} ${version}`,
};
