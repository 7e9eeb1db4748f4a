// Recordings of silence, with as much of their formats as says how long they are.

function page(samples: bigint, content: Buffer): Buffer {
  const header = Buffer.alloc(28);
  header.write("OggS");
  header.writeBigInt64LE(samples, 6);
  return Buffer.concat([header, content]);
}

/** As voice messages of Telegram and Feishu are. */
export function createOgg(seconds: number): Buffer {
  const head = page(0n, Buffer.from("OpusHead"));
  return Buffer.concat([head, page(BigInt(seconds * 48_000), Buffer.alloc(20))]);
}

export function createVorbis(seconds: number): Buffer {
  const identification = Buffer.alloc(30);
  identification.write("\u0001vorbis");
  identification.writeUInt32LE(44_100, 12);
  return Buffer.concat([page(0n, identification), page(BigInt(seconds * 44_100), Buffer.alloc(20))]);
}

export function createWave(seconds: number): Buffer {
  const header = Buffer.alloc(44);
  header.write("RIFF");
  header.write("WAVE", 8);
  header.writeUInt32LE(8_000, 28);
  return Buffer.concat([header, Buffer.alloc(seconds * 8_000)]);
}

export function createMp4(seconds: number, { isLong = false } = {}): Buffer {
  const bytes = Buffer.alloc(80);
  bytes.write("ftyp", 4);
  const at = bytes.write("mvhd", 20) + 20;
  if (isLong) {
    bytes.writeUInt8(1, at);
    bytes.writeUInt32BE(1_000, at + 20);
    bytes.writeBigUInt64BE(BigInt(seconds * 1_000), at + 24);
  } else {
    bytes.writeUInt32BE(1_000, at + 12);
    bytes.writeUInt32BE(seconds * 1_000, at + 16);
  }
  return bytes;
}
