/**
 * `damaged`: not what was archived; `missing`: it was archived and is gone; `foreign`: it was never archived;
 * `unlisted`: it was archived, and the ledger or a list of contents no longer tells of it; `lost`: the warehouse has it,
 * and the archive has not; `note`: odd, and no harm, as what a killed load leaves until the next one.
 */
export const findingKinds = ['damaged', 'missing', 'foreign', 'unlisted', 'lost', 'note'] as const;
export type FindingKind = (typeof findingKinds)[number];

/** What is wrong with one thing in the archive. Plain data, ready to be printed. */
export interface Finding {
  readonly kind: FindingKind;
  /** Absolute. */
  readonly path: string;
  readonly problem: string;
  /** What to do. */
  readonly remedy: string;
  /** Sealing the archive mends it. */
  readonly is_mended_by_seal: boolean;
}

export const sealCommand = '`postledger archive verify --seal`';
const fromBackup = 'put it back from a backup';

export function finding(
  kind: FindingKind,
  path: string,
  problem: string,
  remedy = fromBackup,
): Finding {
  return { kind, path, problem, remedy, is_mended_by_seal: false };
}

/** @param remedy what sealing does about it */
export function mendable(
  kind: FindingKind,
  path: string,
  problem: string,
  remedy: string,
): Finding {
  return { ...finding(kind, path, problem, remedy), is_mended_by_seal: true };
}

export function note(path: string, problem: string, remedy: string): Finding {
  return finding('note', path, problem, remedy);
}

export function foreign(path: string, problem: string): Finding {
  return finding('foreign', path, problem, 'move it away');
}

/** Nothing is wrong with it but that the ledger has lost it. */
export function unlisted(path: string, problem: string): Finding {
  return mendable('unlisted', path, problem, `if it belongs here, ${sealCommand} enters it`);
}

/** What the machine does not let this process read. */
export function unreadable(path: string, error: Error): Finding {
  const remedy = `give this user the right to it, or ${fromBackup}`;
  return finding('damaged', path, `it cannot be read (${error.message})`, remedy);
}

/** Whether sealing leaves nothing of these but notes. */
export function isSealable(findings: readonly Finding[]): boolean {
  return findings.every((each) => each.is_mended_by_seal || isNote(each));
}

export function isNote({ kind }: Finding): boolean {
  return kind === 'note';
}
