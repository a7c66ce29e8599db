import { z } from 'zod';
import type { Cell, ColumnFormat } from '../core/number-format.ts';
import type { QueryColumn, QueryResult } from '../warehouse/database.ts';
import { drawnColumns } from './chart-schema.ts';
import type { ColumnDefinition, SectionDefinition } from './definition-schema.ts';
import type { ReportDefinition } from './report-catalog.ts';
import type { ReportColumn, ReportTable } from './report-document.ts';
import { ReportDefinitionError } from './report-errors.ts';
import { type SectionQuery, columnPlaces, pathOf } from './section-query.ts';

/** A section's rows with columns as report.yaml and the SQL's types describe them. @throws ReportDefinitionError */
export function sectionTable(
  result: QueryResult,
  section: SectionDefinition,
  query: SectionQuery,
): ReportTable {
  columnPlaces(result.columns, namedColumns(section, query), query, 'report.yaml names');
  const columns = result.columns.map((column, index) =>
    reportColumn(
      column,
      declaredColumn(column.name, section, query.definition),
      query,
      cellsOf(result, index),
    ),
  );
  return { columns, ...fittedRows(result, columns) };
}

/** The table of a query that no report.yaml describes. */
export function plainTable(result: QueryResult): ReportTable {
  const described = result.columns.map(({ name, type }) => ({
    ...unnamed,
    name,
    title: name,
    format: defaultFormat(type),
  }));
  return { columns: described, ...fittedRows(result, described) };
}

const unnamed = { nullNote: null, isInHtml: true, isPrimary: false, calculation: null };

function namedColumns(
  { name, columns, key, sorted_by: sortedBy }: SectionDefinition,
  { definition }: SectionQuery,
): string[] {
  const drawn = definition.sections.flatMap(({ name: drawer, chart }) =>
    chart !== null && (chart.rows ?? drawer) === name
      ? drawnColumns(chart).map(({ column }) => column)
      : [],
  );
  return [...Object.keys(columns), ...key, ...(sortedBy === null ? [] : [sortedBy]), ...drawn];
}

/** What report.yaml says of a section's column: the section first, then the report, then what reports share. */
export function declaredColumn(
  name: string,
  section: Pick<SectionDefinition, 'columns'>,
  { sharedColumns, columns }: ReportDefinition,
): ColumnDefinition {
  return { ...sharedColumns[name], ...columns[name], ...section.columns[name] };
}

function reportColumn(
  { name, type }: QueryColumn,
  declaration: ColumnDefinition,
  query: SectionQuery,
  cells: readonly Cell[],
): ReportColumn {
  const format = declaration.format ?? defaultFormat(type);
  if (!canPrint(format, type)) {
    throw new ReportDefinitionError(
      `${pathOf(query)}: the column ${name} is ${type}, which cannot be printed as ${format}`,
    );
  }
  return {
    name,
    title: declaration.title ?? titleOf(name),
    format,
    nullNote: declaration.null_note ?? null,
    isInHtml: isShown(declaration.html ?? true, cells),
    isPrimary: declaration.primary ?? false,
    calculation: declaration.calculation ?? null,
  };
}

function cellsOf({ rows }: QueryResult, index: number): Cell[] {
  return rows.map((row) => row[index] ?? null);
}

function isShown(html: boolean | 'varied' | 'known', cells: readonly Cell[]): boolean {
  if (typeof html === 'boolean') return html;
  if (html === 'known') return cells.some((cell) => cell !== null);
  return cells.some((cell) => String(cell) !== String(cells[0]));
}

/** The head of a column that report.yaml gives none. */
export function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function fittedRows(
  result: QueryResult,
  columns: readonly ReportColumn[],
): Pick<ReportTable, 'rows' | 'exactRows'> {
  const fit = (fitCell: typeof fittedCell) =>
    result.rows.map((row) => row.map((cell, index) => fitCell(cell, columns[index])));
  const rows = fit(fittedCell);
  const isExact = !result.rows.some((row) => row.some((cell, at) => isLong(cell, columns[at])));
  if (isExact) return { rows };
  return { rows, exactRows: fit((cell, of) => (isLong(cell, of) ? cell : fittedCell(cell, of))) };
}

/** A decimal of more digits than a number holds. */
function isLong(cell: Cell, column: Pick<ReportColumn, 'format'> | undefined): boolean {
  if (typeof cell !== 'string' || column === undefined) return false;
  return kindByFormat[column.format] === 'number';
}

/** Long decimals come as text; renderers take numbers. Lists that hold a null come as their JSON. */
export function fittedCell(cell: Cell, column: Pick<ReportColumn, 'format'> | undefined): Cell {
  if (typeof cell !== 'string' || column === undefined) return cell;
  if (kindByFormat[column.format] === 'number') return Number(cell);
  if (column.format === 'trend') return trendOf(cell);
  return column.format === 'list' ? [cell] : cell;
}

const trendSchema = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(z.array(z.number().nullable()));

/** A list of doubles comes as its JSON. */
function trendOf(cell: string): readonly (number | null)[] {
  return trendSchema.parse(cell);
}

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
