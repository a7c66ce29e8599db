import type { DatabaseValue } from './cell.ts';
import type { Database } from './database.ts';
import { listSql, readSql } from './sql-file.ts';
import { withoutEnd } from './sql-text.ts';
import { WarehouseCheckError } from './warehouse-errors.ts';

const rowsShown = 3;

/**
 * Holds the tables against the rules of sql/checks: each a query that finds no row.
 * @throws WarehouseCheckError for the first that does, with how many rows it finds and what they are
 */
export async function checkRules(database: Database): Promise<void> {
  for (const name of await listSql('checks')) {
    const rule = await readSql(name);
    const broken = await database.queryObjects(examplesOf(rule));
    if (broken.length > 0) throw new WarehouseCheckError(explain(name, rule, broken));
  }
}

/** A rule's first rows, each with how many there are: there may be millions. */
function examplesOf(rule: string): string {
  return `with broken as (${withoutEnd(rule)}\n)
    select (select count(*) from broken) as total, * from broken limit ${rowsShown}`;
}

function explain(
  name: string,
  rule: string,
  broken: readonly Record<string, DatabaseValue>[],
): string {
  const total = Number(broken[0]?.['total']);
  const rows = `${total} ${total === 1 ? 'row' : 'rows'}`;
  const examples = broken.map(shownRow).join('; ');
  const grain = /^-- grain: (.*)/.exec(rule)?.[1] ?? 'what must not be';
  return `sql/${name} found ${rows}: ${grain} (${examples}${total > rowsShown ? '; …' : ''})`;
}

function shownRow(row: Record<string, DatabaseValue>): string {
  return Object.entries(row)
    .filter(([name]) => name !== 'total')
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}
