import { readFile } from 'node:fs/promises';
import { hasErrorCode } from './errors.ts';

/** Bytes of memory that a process holds; null where the system does not tell, and of one that has ended. */
export async function residentMemory(pid: number): Promise<number | null> {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(
      await readFile(`/proc/${pid}/status`, 'utf8'),
    )?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ESRCH')) return null;
    throw error;
  }
}
