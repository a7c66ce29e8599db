import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { hasErrorCode } from '../core/errors.ts';
import { splitLines } from '../inbox/spool/record-line.ts';
import { quarantineFolder } from '../landing/layout.ts';
import { lockLedger } from './archive-ledger.ts';
import { sha256Of } from './contents-list.ts';
import { ledgerPath } from './layout.ts';
import { readLedgerLine } from './ledger-line.ts';

/**
 * Writes the ledger anew without the lines that are not what was written. Those are kept under `quarantine/`.
 * @returns how many there were
 */
export async function renewLedger(dataDir: string): Promise<number> {
  const lock = await lockLedger(dataDir);
  try {
    const { good, bad } = sortLines(await readFile(ledgerPath(dataDir)));
    if (bad.length === 0) return 0;
    const aside = joinLines(bad);
    const name = `ledger-${sha256Of(aside).slice(0, 16)}.ndjson`;
    await writeFileAtomic(join(quarantineFolder(dataDir), '_archive', name), aside);
    await writeFileAtomic(ledgerPath(dataDir), joinLines(good));
    return bad.length;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return 0;
    throw error;
  } finally {
    await lock.release();
  }
}

function sortLines(data: Buffer): { good: Buffer[]; bad: Buffer[] } {
  const { lines, tail } = splitLines(data);
  const good: Buffer[] = [];
  const bad: Buffer[] = [];
  for (const line of lines) {
    (isDamaged(line) ? bad : good).push(line);
  }
  if (tail.length > 0) (isDamaged(tail) ? bad : good).push(tail);
  return { good, bad };
}

function isDamaged(line: Buffer): boolean {
  return 'reason' in readLedgerLine(line.toString('utf8'));
}

function joinLines(lines: readonly Buffer[]): Buffer {
  const lineFeed = Buffer.from('\n');
  return Buffer.concat(lines.flatMap((line) => [line, lineFeed]));
}
