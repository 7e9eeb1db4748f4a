import fc from "fast-check";
import { expect, it } from "vitest";
import { createMp4, createOgg, createVorbis, createWave } from "../../../test/support/recordings.ts";
import { readAudioDuration } from "./audio-duration.ts";

it.each([
  ["Opus in Ogg", createOgg(12.5)],
  ["Vorbis in Ogg", createVorbis(12.5)],
  ["WAV", createWave(12.5)],
  ["MP4", createMp4(12.5)],
  ["a long MP4", createMp4(12.5, { isLong: true })],
])("%s says how long it is", (_, bytes) => {
  expect(readAudioDuration(bytes)).toBeCloseTo(12.5, 2);
});

it("whatever is no recording, or cut off, has no length and does no harm", () => {
  const whole = [createOgg(3), createVorbis(3), createWave(3), createMp4(3), createMp4(3, { isLong: true })];
  const cut = fc.tuple(fc.constantFrom(...whole), fc.nat(200)).map(([bytes, end]) => bytes.subarray(0, end));
  fc.assert(
    fc.property(fc.oneof(cut, fc.uint8Array({ maxLength: 300 })), (bytes) => {
      const seconds = readAudioDuration(bytes);
      return seconds === undefined || (Number.isFinite(seconds) && seconds >= 0);
    }),
  );
  expect(readAudioDuration(Buffer.from("ID3 an MP3 says it nowhere"))).toBeUndefined();
});
