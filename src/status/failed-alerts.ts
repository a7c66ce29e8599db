import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';

/** Returns the sentences of the alerts that failed when they were last run. An unreadable file counts as none. */
export async function readFailedAlerts(config: Pick<Config, 'dataDir'>): Promise<string[]> {
  const known = readFile(failedPath(config), 'utf8').then(JSON.parse);
  return z
    .array(z.string())
    .catch([])
    .parse(await known.catch(() => []));
}

/** Replaces them, if they are others. */
export async function writeFailedAlerts(
  failed: readonly string[],
  config: Pick<Config, 'dataDir'>,
): Promise<void> {
  const known = await readFailedAlerts(config);
  if (JSON.stringify(failed) !== JSON.stringify(known))
    await writeFileAtomic(failedPath(config), JSON.stringify(failed));
}

function failedPath({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'failed-alerts.json');
}
