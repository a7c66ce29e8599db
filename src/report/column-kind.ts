import type { ColumnFormat } from '../core/number-format.ts';

/** What a DuckDB type holds, as far as formats go. */
export type Kind =
  | 'number'
  | 'text'
  | 'list'
  | 'numbers'
  | 'date'
  | 'datetime'
  | 'boolean'
  | 'other';

/** What a format prints; `text` prints anything. */
export const kindByFormat: Readonly<Record<ColumnFormat, Kind>> = {
  text: 'text',
  longtext: 'text',
  url: 'text',
  list: 'list',
  count: 'number',
  decimal: 'number',
  money: 'number',
  money_exact: 'number',
  cpm: 'number',
  rate: 'number',
  share: 'number',
  duration: 'number',
  factor: 'number',
  pp: 'number',
  change: 'number',
  trend: 'numbers',
  month: 'date',
  date: 'date',
  datetime: 'datetime',
  weekday: 'number',
  hour: 'number',
  boolean: 'boolean',
};

const formatByKind: Readonly<Record<Kind, ColumnFormat>> = {
  number: 'decimal',
  text: 'text',
  list: 'list',
  numbers: 'trend',
  date: 'date',
  datetime: 'datetime',
  boolean: 'boolean',
  other: 'text',
};

/** Whether values of a DuckDB type can be printed in a format. */
export function canPrint(format: ColumnFormat, type: string): boolean {
  return kindByFormat[format] === 'text' || kindByFormat[format] === kindOf(type);
}

const integerType = /^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/;

/** The format of a column that report.yaml gives none. @param type as DuckDB writes it */
export function defaultFormat(type: string): ColumnFormat {
  return integerType.test(type) ? 'count' : formatByKind[kindOf(type)];
}

function numbersKind(type: string): Kind {
  return type === 'DOUBLE[]' ? 'numbers' : 'other';
}

/** @param type as DuckDB writes it, for example `DECIMAL(38,3)` */
export function kindOf(type: string): Kind {
  if (integerType.test(type) || /^(DOUBLE|FLOAT|DECIMAL)/.test(type))
    return type.endsWith(']') ? numbersKind(type) : 'number';
  if (type === 'VARCHAR' || type === 'UUID' || type === 'JSON') return 'text';
  if (type === 'VARCHAR[]') return 'list';
  if (type === 'DATE') return 'date';
  if (type === 'TIMESTAMP WITH TIME ZONE') return 'datetime';
  return type === 'BOOLEAN' ? 'boolean' : 'other';
}
