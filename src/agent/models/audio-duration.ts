// The length of a recording, from the few bytes in which its format states it. Undefined for formats that do not state
// it cheaply.

/** In seconds. Ogg (Opus, Vorbis), WAV, and MP4 with its relatives. */
export function readAudioDuration(recording: Uint8Array): number | undefined {
  const bytes = Buffer.from(recording.buffer, recording.byteOffset, recording.byteLength);
  try {
    const seconds = readOgg(bytes) ?? readWave(bytes) ?? readMp4(bytes);
    return seconds !== undefined && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
  } catch (error) {
    // Cut off within the header.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The last page holds the number of all samples. */
function readOgg(bytes: Buffer): number | undefined {
  if (!bytes.subarray(0, 4).equals(Buffer.from("OggS"))) return undefined;
  const samples = Number(bytes.readBigInt64LE(bytes.lastIndexOf("OggS") + 6));
  const vorbis = bytes.indexOf("\u0001vorbis");
  return samples / (vorbis === -1 ? 48_000 : bytes.readUInt32LE(vorbis + 12));
}

function readWave(bytes: Buffer): number | undefined {
  if (bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WAVE")
    return undefined;
  return Math.max(0, bytes.length - 44) / bytes.readUInt32LE(28);
}

function readMp4(bytes: Buffer): number | undefined {
  const header = bytes.toString("latin1", 4, 8) === "ftyp" ? bytes.indexOf("mvhd") : -1;
  if (header === -1) return undefined;
  const isLong = bytes.readUInt8(header + 4) === 1;
  const units = isLong ? Number(bytes.readBigUInt64BE(header + 28)) : bytes.readUInt32BE(header + 20);
  return units / bytes.readUInt32BE(header + (isLong ? 24 : 16));
}
