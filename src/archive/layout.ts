import { join } from 'node:path';
import { archiveFolder } from '../landing/layout.ts';

/** What the archive holds, a line for each thing that came into it. */
export function ledgerPath(dataDir: string): string {
  return join(archiveFolder(dataDir), 'ledger.ndjson');
}

/** Held by whoever writes to the ledger, for as long as that takes. */
export function archiveLockPath(dataDir: string): string {
  return join(dataDir, 'locks', 'archive.lock');
}

/** What a kill leaves of a ledger that was being written anew. */
export const unfinishedLedger = /^ledger\.ndjson\.[0-9a-f-]+\.tmp$/;
