import { createHash } from 'node:crypto';
import { listSql, readSql } from '../warehouse/sql-file.ts';
import type { ReportDefinition } from './report-catalog.ts';

const shownDigits = 12;

/** Of the views that every report reads. They are the program's own, so they are read once. */
let sharedTexts: Promise<ReadonlyMap<string, string>> | null = null;

/**
 * What tells whether two reports were made by the same report.yaml and SQL: the first digits of a SHA-256 over
 * these files, and over the views that every report reads. Line ends and the place of the files make no difference.
 */
export async function sqlHash({ yaml, sql }: ReportDefinition): Promise<string> {
  sharedTexts ??= readShared();
  const own = [['report.yaml', yaml] as const, ...sql];
  const shared = [...(await sharedTexts)].map(([name, text]) => [`sql/${name}`, text] as const);
  const hash = createHash('sha256');
  for (const [name, text] of [...own, ...shared].sort(byName))
    hash.update(JSON.stringify([name, text.replaceAll('\r\n', '\n')]));
  return hash.digest('hex').slice(0, shownDigits);
}

async function readShared(): Promise<ReadonlyMap<string, string>> {
  const names = [...(await listSql('report')), ...(await listSql('views'))];
  const texts = await Promise.all(names.map(readSql));
  return new Map(names.map((name, index) => [name, texts[index] ?? '']));
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}
