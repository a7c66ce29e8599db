import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '../../core/atomic-file.ts';
import { hasErrorCode } from '../../core/errors.ts';
import type { DamagedLine } from '../../inbox/spool/read-segment.ts';
import { sealedNameOf } from '../../inbox/spool/segment-name.ts';
import { quarantineFolder } from '../../landing/layout.ts';

/**
 * Keeps the text of a segment's damaged lines under `quarantine/`, with their numbers and what is wrong
 * with them. The segment itself stays as it is.
 * @returns where they are; null when they have been there before, since a segment may be read repeatedly
 */
export async function setAsideLines(
  dataDir: string,
  segment: string,
  damages: readonly DamagedLine[],
): Promise<string | null> {
  const path = join(quarantineFolder(dataDir), '_events', sealedNameOf(segment));
  const lines = damages.map(
    ({ line, reason, text }) => `${JSON.stringify({ line, reason, text })}\n`,
  );
  const content = lines.join('');
  if ((await readIfPresent(path)) === content) return null;
  await writeFileAtomic(path, content);
  return path;
}

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}
