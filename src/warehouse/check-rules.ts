import type { DatabaseValue } from './cell.ts';
import type { Database } from './database.ts';
import { readSql } from './sql-file.ts';
import { withoutEnd } from './sql-text.ts';
import { WarehouseCheckError } from './warehouse-errors.ts';

const rowsShown = 3;

/**
 * Holds the tables against a rule of sql/checks: a query that finds no row.
 * @param name relative to sql/
 * @throws WarehouseCheckError if it finds rows, with how many and what they are
 */
export async function checkRule(database: Database, name: string): Promise<void> {
  const rule = await readSql(name);
  const broken = await database.queryObjects(examplesOf(rule));
  if (broken.length > 0) throw new WarehouseCheckError(explain(name, rule, broken));
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
