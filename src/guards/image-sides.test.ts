import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createImage, imageFormats } from "../../test/support/images.ts";
import { cases } from "../../test/support/long-form.ts";
import { sniffImageType } from "../lib/formats/image-type.ts";
import { readImageSides } from "./image-store.ts";

describe.each(imageFormats)("a %s", (format) => {
  it("is known by its bytes, with its sides", async () => {
    const side = fc.integer({ min: 1, max: 400 });
    await fc.assert(
      fc.asyncProperty(side, side, async (width, height) => {
        const bytes = await createImage(format, width, height);
        expect(sniffImageType(bytes)).toBe(`image/${/png|jpeg|gif|webp/.exec(format)?.[0]}`);
        expect(readImageSides(bytes)).toEqual({ width, height });
      }),
      { numRuns: 10 },
    );
  });

  it("that is cut off or damaged is no failure", async () => {
    const bytes = await createImage(format, 20, 10);
    const damage = fc.record({ length: fc.nat(bytes.length), at: fc.nat(80), byte: fc.nat(255) });
    fc.assert(
      fc.property(damage, ({ length, at, byte }) => {
        const damaged = Buffer.from(bytes.subarray(0, length));
        if (at < length) damaged[at] = byte;
        const sides = readImageSides(damaged);
        if (sides !== undefined) expect(Math.min(sides.width, sides.height)).toBeGreaterThan(0);
      }),
      { numRuns: cases(300) },
    );
    expect(readImageSides(bytes.subarray(0, 8))).toBeUndefined();
  });
});

it("takes nothing else for an image", () => {
  for (const text of [
    "",
    "hello",
    "RIFF....WAVEfmt ",
    "WEBP",
    "....WEBPVP8 ",
    "GIF88a",
    "<svg/>",
    "\u0089PNG",
  ]) {
    const bytes = Buffer.from(text.padEnd(40), "latin1");
    expect(sniffImageType(bytes)).toBeUndefined();
    expect(readImageSides(bytes)).toBeUndefined();
  }
});

it("reads a JPEG with fill bytes before its markers, and none with endless segments", () => {
  const frame = [0xff, 0xc2, 0x00, 0x11, 0x08, 0x00, 0x03, 0x00, 0x05, 0x03];
  const filled = Buffer.from([0xff, 0xd8, 0xff, 0xff, 0xff, ...frame]);
  expect(readImageSides(filled)).toEqual({ width: 5, height: 3 });
  const hollow = Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(100_000, 0xff)]);
  expect(readImageSides(hollow)).toBeUndefined();
  const zeroLength = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x00, ...frame]);
  expect(readImageSides(zeroLength)).toBeUndefined();
});
