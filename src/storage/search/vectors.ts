// Embeddings of entries: vectors of bytes, and sketches of 256 bits that are compared first, so that all entries of a scope
// are looked at in a few milliseconds. Filled in the background in the order of the entries; never required.
import type { StatementSync } from "node:sqlite";

export const vectorsSchema = `
  CREATE TABLE vector (id INTEGER PRIMARY KEY, data BLOB);
  CREATE TABLE sketch (id INTEGER PRIMARY KEY, bits BLOB);
  CREATE TABLE embedding (place TEXT PRIMARY KEY, model TEXT, upto INT);`;

const sketchWords = 8;
const sketchBits = sketchWords * 32;
/** Entries whose sketches are nearest: of these the vectors are compared. */
const mostCompared = 200;

export class Vectors {
  readonly #prepare: (sql: string) => StatementSync;
  readonly #place: string;
  /** Numbers and sketches of all entries that have one, in order. */
  #ids = new Uint32Array(0);
  #bits = new Uint32Array(0);
  #count = 0;

  constructor(prepare: (sql: string) => StatementSync, place: string) {
    this.#prepare = prepare;
    this.#place = place;
  }

  /** Entries that have none yet, oldest first. Those of another model are worth nothing. */
  missing(model: string, most: number): number[] {
    const [known] = this.#prepare("SELECT model, upto FROM embedding WHERE place = ?").all(this.#place);
    const upto = known?.model === model ? Number(known.upto) : 0;
    if (known !== undefined && known.model !== model) this.#wipe();
    const sql = `SELECT entry.id FROM entry JOIN source ON source.id = entry.source
      WHERE source.place = ? AND entry.id > ? AND entry.role <> 'tool' ORDER BY entry.id LIMIT ?`;
    return this.#prepare(sql)
      .all(this.#place, upto, most)
      .map(({ id }) => Number(id));
  }

  /** `upto`: all entries until then are done, whether they have one or not. */
  add(model: string, vectors: ReadonlyMap<number, ArrayLike<number>>, upto: number): void {
    const addVector = this.#prepare("INSERT OR REPLACE INTO vector VALUES (?, ?)");
    const addSketch = this.#prepare("INSERT OR REPLACE INTO sketch VALUES (?, ?)");
    for (const [id, vector] of vectors) {
      const unit = toUnit(vector);
      addVector.run(id, new Uint8Array(toBytes(unit).buffer));
      addSketch.run(id, new Uint8Array(toSketch(unit).buffer));
    }
    this.#prepare("INSERT OR REPLACE INTO embedding VALUES (?, ?, ?)").run(this.#place, model, upto);
  }

  remove(ids: readonly number[]): void {
    const list = JSON.stringify(ids);
    for (const table of ["vector", "sketch"])
      this.#prepare(`DELETE FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`).run(list);
    this.forget();
  }

  /** What is in memory is void. */
  forget(): void {
    this.#count = 0;
  }

  /** How like each of the most similar entries is, from 0 (as the others of them) to 1 (the best). */
  nearest(vector: ArrayLike<number>, isWanted: (id: number) => boolean): Map<number, number> {
    this.#load();
    const unit = toUnit(vector);
    const near = this.#findNear(toSketch(unit), isWanted);
    if (near.length === 0) return new Map();
    const asked = toBytes(unit);
    const sql = "SELECT id, data FROM vector WHERE id IN (SELECT value FROM json_each(?))";
    const rows = this.#prepare(sql).all(JSON.stringify(near)) as Array<{ id: number; data: Uint8Array }>;
    const scored = rows
      .filter(({ data }) => data.length === asked.length)
      .map(({ id, data }) => ({
        id,
        score: dot(asked, new Int8Array(data.buffer, data.byteOffset, data.length)),
      }));
    const best = Math.max(...scored.map(({ score }) => score));
    const mean = scored.reduce((sum, { score }) => sum + score, 0) / (scored.length || 1);
    const span = best - mean || 1;
    const isAbove = ({ score }: { score: number }) => score > mean || scored.length === 1;
    return new Map(
      scored.filter(isAbove).map(({ id, score }) => [id, scored.length === 1 ? 1 : (score - mean) / span]),
    );
  }

  /** By counting distances first: no list of all of them is sorted. */
  #findNear(sketch: Uint32Array, isWanted: (id: number) => boolean): number[] {
    const counts = new Uint32Array(sketchBits + 1);
    const distances = new Uint16Array(this.#count);
    for (let at = 0; at < this.#count; at++) {
      const distance = isWanted(this.#ids[at] ?? 0) ? this.#distance(at, sketch) : sketchBits + 1;
      distances[at] = distance;
      if (distance <= sketchBits) counts[distance] = (counts[distance] ?? 0) + 1;
    }
    let [most, room] = [0, mostCompared];
    while (most < sketchBits && room - (counts[most] ?? 0) > 0) room -= counts[most++] ?? 0;
    const near: number[] = [];
    for (let at = 0; at < this.#count && near.length < 2 * mostCompared; at++)
      if ((distances[at] ?? 0) <= most) near.push(this.#ids[at] ?? 0);
    return near;
  }

  #distance(at: number, sketch: Uint32Array): number {
    let distance = 0;
    const start = at * sketchWords;
    for (let word = 0; word < sketchWords; word++)
      distance += countBits((this.#bits[start + word] ?? 0) ^ (sketch[word] ?? 0));
    return distance;
  }

  #load(): void {
    const last = this.#count === 0 ? 0 : (this.#ids[this.#count - 1] ?? 0);
    for (const row of this.#prepare("SELECT id, bits FROM sketch WHERE id > ? ORDER BY id").iterate(last)) {
      const { id, bits } = row as { id: number; bits: Uint8Array };
      if (this.#count >= this.#ids.length) this.#grow();
      this.#ids[this.#count] = id;
      this.#bits.set(new Uint32Array(bits.slice().buffer), this.#count * sketchWords);
      this.#count += 1;
    }
  }

  #grow(): void {
    const room = Math.max(1_024, Math.ceil(1.5 * this.#ids.length));
    const [ids, bits] = [new Uint32Array(room), new Uint32Array(room * sketchWords)];
    ids.set(this.#ids);
    bits.set(this.#bits);
    [this.#ids, this.#bits] = [ids, bits];
  }

  #wipe(): void {
    const own = "SELECT entry.id FROM entry JOIN source ON source.id = entry.source WHERE source.place = ?";
    for (const table of ["vector", "sketch"])
      this.#prepare(`DELETE FROM ${table} WHERE id IN (${own})`).run(this.#place);
    this.#prepare("DELETE FROM embedding WHERE place = ?").run(this.#place);
    this.forget();
  }
}

function toUnit(vector: ArrayLike<number>): Float32Array {
  const unit = Float32Array.from(vector);
  const length = Math.hypot(...unit) || 1;
  return unit.map((value) => value / length);
}

/** Of a unit vector: most numbers are small, so that the largest one is the measure. */
function toBytes(unit: Float32Array): Int8Array {
  const largest = unit.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return Int8Array.from(unit, (value) => Math.round((127 * value) / largest));
}

/** Cosine. */
function dot(a: Int8Array, b: Int8Array): number {
  let [sum, ofA, ofB] = [0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at] ?? 0, b[at] ?? 0];
    sum += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return sum / (Math.sqrt(ofA * ofB) || 1);
}

/** On which side of 256 planes it lies. They are the same in every process. */
function toSketch(unit: Float32Array): Uint32Array {
  const sketch = new Uint32Array(sketchWords);
  for (let bit = 0; bit < sketchBits; bit++) {
    let state = (bit + 1) * 0x9e3779b1;
    let sum = 0;
    for (let at = 0; at < unit.length; at++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      sum += (state & 1) === 0 ? (unit[at] ?? 0) : -(unit[at] ?? 0);
    }
    if (sum > 0) sketch[bit >> 5] = (sketch[bit >> 5] ?? 0) | (1 << (bit & 31));
  }
  return sketch;
}

function countBits(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
