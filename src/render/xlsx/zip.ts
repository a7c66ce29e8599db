import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';

const deflated = promisify(deflateRaw);

/** The compression level: a higher one takes twice the time for a tenth of the size. */
const level = 3;
const centralSignature = 0x02_01_4b_50;
const endSignature = 0x06_05_4b_50;

/** The entries of a zip whose entries are stored as they are, by name. */
export function storedEntries(zip: Buffer): Map<string, Buffer> {
  const entries = new Map<string, Buffer>();
  const end = zip.length - 22;
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const size = zip.readUInt32LE(at + 20);
    const nameLength = zip.readUInt16LE(at + 28);
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    entries.set(name, zip.subarray(start, start + size));
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}

/**
 * A zip of these entries, compressed by Node's own zlib, which is five times as fast as a library in JavaScript.
 * @param date the date of every entry, 1980 or later
 */
export async function zipped(entries: ReadonlyMap<string, Buffer>, date: Date): Promise<Buffer> {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const body = await deflated(content, { level });
    const nameBytes = Buffer.from(name);
    const fields = entryFields({ content, body, date, nameLength: nameBytes.length });
    const local = Buffer.concat([bytesOf(4, 0x04_03_4b_50), fields, nameBytes]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    central.push(bytesOf(4, centralSignature), bytesOf(2, 20), fields, place, nameBytes);
    locals.push(local, body);
    offset += local.length + body.length;
  }
  const directory = Buffer.concat(central);
  return Buffer.concat([...locals, directory, endOf(entries.size, directory.length, offset)]);
}

/** The fields that the header of an entry and its record in the directory have in common. */
function entryFields(entry: {
  readonly content: Buffer;
  readonly body: Buffer;
  readonly date: Date;
  readonly nameLength: number;
}): Buffer {
  const { content, body, date, nameLength } = entry;
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  // Names are UTF-8.
  fields.writeUInt16LE(0x08_00, 2);
  // Deflate.
  fields.writeUInt16LE(8, 4);
  const time =
    (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day =
    ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  fields.writeUInt16LE(time, 6);
  fields.writeUInt16LE(day, 8);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(body.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(nameLength, 22);
  return fields;
}

function endOf(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(endSignature, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

function bytesOf(length: number, value: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntLE(value, 0, length);
  return bytes;
}
