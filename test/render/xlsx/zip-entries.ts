import { readFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';

/** The parts of a zip by name, in order, as text. */
export async function zipEntries(path: string): Promise<Map<string, string>> {
  const bytes = await readFile(path);
  const end = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006'));
  const entries = new Map<string, string>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    entries.set(name, entryText(bytes, at));
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function entryText(bytes: Buffer, at: number): string {
  const size = bytes.readUInt32LE(at + 20);
  const local = bytes.readUInt32LE(at + 42);
  const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  const body = bytes.subarray(start, start + size);
  return (bytes.readUInt16LE(at + 10) === 8 ? inflateRawSync(body) : body).toString('utf8');
}
