import { readLedger, type LedgerDamage } from './archive-ledger.ts';
import { indexLedger, type LedgerIndex } from './ledger-index.ts';

/** What the ledger says, and whether all of it can be read. */
export interface KnownArchive extends LedgerIndex {
  readonly isThere: boolean;
  /** Where it is not, what it does not tell of may be in what cannot be read of it. */
  readonly isIntact: boolean;
  readonly damages: readonly LedgerDamage[];
}

export async function readKnownArchive(dataDir: string): Promise<KnownArchive> {
  const { isThere, entries, damages } = await readLedger(dataDir);
  const isIntact = isThere && damages.every(isCutOff);
  return { ...indexLedger(entries), isThere, isIntact, damages };
}

/** A kill leaves the beginning of a line; one that has its check was once whole. */
export function isCutOff({ isTorn, text }: LedgerDamage): boolean {
  return isTorn && !/"check":"[0-9a-f]{16}"\}/u.test(text);
}
