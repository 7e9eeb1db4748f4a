// The readings of a text that is about to leave: as it is, backwards, and decoded from what programs commonly encode with.
// Only readings: whether one of them holds something private is judged elsewhere.

import { constants, unzipSync } from "node:zlib";

/** Of what leaves; the rest is read as it is. */
const mostRead = 60_000;
const mostCharacters = 400_000;
const mostRounds = 2;

/** Bounded; the first is the text itself. */
export function readAllWays(text: string): string[] {
  const readings = new Set([text]);
  let newest = [text.slice(0, mostRead)];
  let size = text.length;
  for (let round = 0; round < mostRounds; round++) {
    const found: string[] = [];
    for (const reading of newest) {
      for (const next of decode(reading)) {
        if (next.length < shortest || readings.has(next) || size + next.length > mostCharacters) continue;
        readings.add(next);
        found.push(next);
        size += next.length;
      }
    }
    newest = found;
  }
  return [...readings];
}

/** Less than that cannot hold a passage. */
const shortest = 8;

function* decode(text: string): Generator<string> {
  yield decodePercent(text);
  yield text
    .replaceAll(/&#x([\da-f]{1,6});|\\u\{?([\da-f]{2,6})\}?|\\x([\da-f]{2})/gi, (match, ...codes) =>
      toCharacter(Number.parseInt(String(codes.find((code) => typeof code === "string")), 16), match),
    )
    .replaceAll(/=([\dA-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/&#(\d{1,7});/g, (match, code) => toCharacter(Number(code), match));
  yield [...text].reverse().join("");
  yield text.replaceAll(/[a-z]/gi, mirror);
  yield* decodeHidden(text);
  for (const steps of text.length <= mostRotated ? rotations : [13]) yield rotate(text, steps);
  yield* decodeCodes(text);
  for (const pieces of [text, text.replaceAll(/[\s/.,:;|~?&=%-]+/g, "")]) {
    for (const [run] of pieces.matchAll(/[\da-f]{16,}/gi)) yield* decodeHex(run);
    for (const [run] of pieces.matchAll(/[a-z2-7]{13,}/gi)) yield* decodeBase32(run);
    for (const [run] of pieces.matchAll(/[\w+/-]{11,}/g)) yield* decodeBase64(run);
  }
  for (const [run] of text.matchAll(/[!-~]{10,400}/g))
    for (const alphabet of base85) yield* decodeBase85(run, alphabet);
}

/** The first letter for the last one, and so on. */
function mirror(letter: string): string {
  return String.fromCharCode((letter <= "Z" ? 155 : 219) - letter.charCodeAt(0));
}

/** Signs that show nothing and stand for others: tags for letters, variations for bytes. */
function* decodeHidden(text: string): Generator<string> {
  const codes = Array.from(text.matchAll(/\p{VS}|[\u{e0020}-\u{e007e}]/gu), ([sign]) =>
    Number(sign.codePointAt(0)),
  );
  yield String.fromCodePoint(
    ...codes.filter((code) => code >= 0xe0020 && code <= 0xe007e).map((code) => code - 0xe0000),
  );
  const bytes = codes.flatMap((code) =>
    code < 0xfe10 ? code - 0xfe00 : code >= 0xe0100 ? code - 0xe0100 + 16 : [],
  );
  yield* readable(Buffer.from(bytes));
}

const base85 = [
  Array.from({ length: 85 }, (_, index) => String.fromCharCode(33 + index)).join(""),
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~",
];

function* decodeBase85(run: string, alphabet: string): Generator<string> {
  const values = [...run].map((sign) => alphabet.indexOf(sign)).filter((value) => value >= 0);
  for (let start = 0; start < 5; start++) {
    const bytes: number[] = [];
    for (let at = start; at + 1 < values.length; at += 5) {
      const group = [0, 1, 2, 3, 4].map((index) => values[at + index] ?? 84);
      const number = group.reduce((sum, value) => sum * 85 + value, 0);
      const given = Math.min(5, values.length - at) - 1;
      bytes.push(...[24, 16, 8, 0].slice(0, given).map((shift) => Math.floor(number / 2 ** shift) & 0xff));
    }
    yield* readable(Buffer.from(bytes));
  }
}

/** A longer text is read with the usual one alone. */
const mostRotated = 400;
const rotations = Array.from({ length: 25 }, (_, index) => index + 1);

function rotate(text: string, steps: number): string {
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const first = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + steps) % 26) + first);
  });
}

function decodePercent(text: string): string {
  return text.replaceAll("+", " ").replaceAll(/(?:%[\da-f]{2})+/gi, (match) => {
    const bytes = Buffer.from(match.replaceAll("%", ""), "hex");
    return bytes.toString("utf8");
  });
}

/** Numbers of characters, as in `104 117 110 116`, also in base eight, and bits. */
function* decodeCodes(text: string): Generator<string> {
  for (const [run] of text.matchAll(/\d{2,3}(?:\D{1,3}\d{2,3}){7,}/g))
    for (const base of [10, 8])
      yield run
        .split(/\D+/)
        .map((code) => toCharacter(Number.parseInt(code, base), ""))
        .join("");
  for (const [run] of text.matchAll(/[01](?:[\s,_-]?[01]){63,}/g)) {
    const bits = run.replaceAll(/[^01]/g, "").match(/.{8}/g) ?? [];
    yield bits.map((byte) => toCharacter(Number.parseInt(byte, 2), "")).join("");
  }
}

/** A run may begin with a letter or two of its surroundings: each place where it could begin is tried. */
function* decodeHex(run: string): Generator<string> {
  for (const start of [0, 1]) yield* readable(Buffer.from(run.slice(start), "hex"));
}

function* decodeBase64(run: string): Generator<string> {
  for (const start of [0, 1, 2, 3]) yield* readable(Buffer.from(run.slice(start), "base64"));
}

const base32 = "abcdefghijklmnopqrstuvwxyz234567";

function* decodeBase32(run: string): Generator<string> {
  const values = [...run.toLowerCase()].map((sign) => base32.indexOf(sign));
  for (let start = 0; start < 8; start++) {
    const bytes: number[] = [];
    let held = 0;
    let count = 0;
    for (const value of values.slice(start)) {
      held = ((held << 5) | value) & 0xfff;
      count += 5;
      if (count < 8) continue;
      count -= 8;
      bytes.push((held >> count) & 0xff);
    }
    yield* readable(Buffer.from(bytes));
  }
}

/** What is text at least in a part that is long enough: neighbours of the run spoil its ends. */
function* readable(bytes: Buffer): Generator<string> {
  const text = (isPacked(bytes) ? unpack(bytes) : bytes).toString("utf8");
  if (/[^\p{C}\uFFFD]{8}/u.test(text)) yield text;
}

/** As gzip and zlib begin. */
function isPacked(bytes: Buffer): boolean {
  const [first, second = 0] = bytes;
  return (first === 0x1f && second === 0x8b) || (first === 0x78 && ((0x78 << 8) + second) % 31 === 0);
}

/** Bounded; what is no such thing stays as it is. */
function unpack(bytes: Buffer): Buffer {
  try {
    const { Z_SYNC_FLUSH: finishFlush } = constants;
    return unzipSync(bytes, { maxOutputLength: mostRead, finishFlush });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return bytes;
  }
}

function toCharacter(code: number, otherwise: string): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;
}
