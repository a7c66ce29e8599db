import type { FileHandle } from 'node:fs/promises';

/**
 * Writes all of `data` at a place in a file. A full disk takes a part of a write without an error, and
 * refuses the next one.
 */
export async function writeAll(handle: FileHandle, data: Buffer, position: number): Promise<void> {
  for (let offset = 0; offset < data.length; ) {
    const left = data.length - offset;
    const { bytesWritten } = await handle.write(data, offset, left, position + offset);
    if (bytesWritten === 0) throw new Error(`a write of ${left} bytes wrote nothing`);
    offset += bytesWritten;
  }
}
