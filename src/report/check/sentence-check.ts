import { columnFormats, type ColumnFormat } from '../../core/number-format.ts';
import type { QueryColumn } from '../../warehouse/database.ts';
import { sqlParts } from '../../warehouse/sql-text.ts';
import { canPrint, kindOf } from '../column-kind.ts';
import type { ReportFault } from '../report-errors.ts';
import { namesOf, sqlFault, type Checking } from './checking.ts';

/** Whether an SQL file gives sentences. */
export function hasSentences(file: string): boolean {
  return /^_(lede|coverage|basis)\.sql$|\.(finding|notes)\.sql$/.test(file);
}

/**
 * What is wrong with a file of sentences: its columns, and the placeholders that stand in its literals. One that
 * the SQL puts together out of parts shows only when the sentence is made.
 */
export function sentenceFaults(checking: Checking, file: string): ReportFault[] {
  const columns = checking.columns.get(file);
  if (columns === undefined) return [];
  const needed = file === '_basis.sql' ? ['section', 'text'] : ['text'];
  return [
    ...needed.flatMap((name) => textFaults(checking, file, name, columns)),
    ...placeholders(checking.definition.sql.get(file) ?? '').flatMap((found) => {
      const told = placeholderFault(found, columns);
      return told === null ? [] : [sqlFault(checking, file, found.offset, told)];
    }),
  ];
}

function textFaults(
  checking: Checking,
  file: string,
  name: string,
  columns: readonly QueryColumn[],
): ReportFault[] {
  const column = columns.find((known) => known.name === name);
  if (column === undefined) {
    const told = `there is no column ${name}, which ${name === 'text' ? 'holds the sentence' : 'says where it stands'}; it has ${namesOf(columns)}`;
    return [sqlFault(checking, file, null, told)];
  }
  // a bare null has the type of a whole number
  if (kindOf(column.type) === 'text' || column.type === 'INTEGER') return [];
  return [sqlFault(checking, file, null, `${name} is ${column.type}; it takes text`)];
}

interface Placeholder {
  readonly name: string;
  /** Null: `{name}` without one. */
  readonly format: string | null;
  readonly offset: number;
}

function placeholders(sql: string): Placeholder[] {
  return sqlParts(sql)
    .filter(({ kind }) => kind === 'text')
    .flatMap(({ start, text }) =>
      [...text.matchAll(/\{(\w+)(?::(\w*))?\}/g)].map(([, name = '', format], index, all) => ({
        name,
        format: format ?? null,
        offset: start + (all[index]?.index ?? 0),
      })),
    );
}

function placeholderFault(
  { name, format }: Placeholder,
  columns: readonly QueryColumn[],
): string | null {
  const column = columns.find((known) => known.name === name);
  if (format === null) {
    return column === undefined ? null : `{${name}} is said as it stands; write {${name}:format}`;
  }
  const written = `{${name}:${format}}`;
  if (column === undefined) return `${written} names a column that is not there`;
  if (!isFormat(format))
    return `${written} has no known format; there is ${columnFormats.join(', ')}`;
  if (canPrint(format, column.type) || column.type === 'INTEGER') return null;
  return `${written}: the column is ${column.type}, which cannot be printed as ${format}`;
}

function isFormat(text: string): text is ColumnFormat {
  return (columnFormats as readonly string[]).includes(text);
}
