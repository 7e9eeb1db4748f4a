// Zip archives for tests, honest and otherwise.
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  path: string;
  content: string | Uint8Array;
  /** With the kind of file, as Unix has it; default a regular file. */
  mode?: number;
  /** Lies: what the directory says instead of the truth. */
  size?: number;
  flags?: number;
  method?: number;
}

export function createZip(entries: ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, content, mode = 0o100644, size, flags = 0, method = 8 } of entries) {
    const bytes = Buffer.from(content);
    const data = method === 0 ? bytes : deflateRawSync(bytes);
    const name = Buffer.from(path);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(size ?? bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, name, data]);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x03"), common, tail, name]));
    locals.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, index, end]);
}
