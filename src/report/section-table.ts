import type { Cell, ColumnFormat } from '../core/number-format.ts';
import type { QueryColumn, QueryResult } from '../warehouse/database.ts';
import type { ColumnDefinition, SectionDefinition } from './definition-schema.ts';
import type { ReportColumn, ReportTable } from './report-document.ts';
import { ReportDefinitionError } from './report-errors.ts';
import { columnPlaces, pathOf, type SectionQuery } from './section-query.ts';

type Kind = 'number' | 'text' | 'list' | 'date' | 'datetime' | 'boolean' | 'other';

const kindByFormat: Readonly<Record<ColumnFormat, Kind>> = {
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
  date: 'date',
  datetime: 'datetime',
  boolean: 'boolean',
  other: 'text',
};

/** A section's rows with columns as report.yaml and the SQL's types describe them. @throws ReportDefinitionError */
export function sectionTable(
  result: QueryResult,
  section: SectionDefinition,
  query: SectionQuery,
): ReportTable {
  columnPlaces(result.columns, namedColumns(section), query, 'report.yaml names');
  const columns = result.columns.map((column, index) =>
    reportColumn(column, declared(column.name, section, query), query, cellsOf(result, index)),
  );
  return {
    columns,
    rows: result.rows.map((row) => row.map((cell, index) => fitted(cell, columns[index]))),
  };
}

/** The table of a query that no report.yaml describes. */
export function plainTable({ columns, rows }: QueryResult): ReportTable {
  const described = columns.map(({ name, type }) => ({
    ...unnamed,
    name,
    title: name,
    format: defaultFormat(type),
  }));
  return {
    columns: described,
    rows: rows.map((row) => row.map((cell, index) => fitted(cell, described[index]))),
  };
}

const unnamed = { nullNote: null, isInHtml: true, isPrimary: false };

function namedColumns({ columns, key, sorted_by: sortedBy, chart }: SectionDefinition): string[] {
  const drawn =
    chart === null
      ? []
      : Object.entries(chart).flatMap(([part, name]) =>
          part !== 'kind' && typeof name === 'string' ? [name] : [],
        );
  return [...Object.keys(columns), ...key, ...(sortedBy === null ? [] : [sortedBy]), ...drawn];
}

function declared(name: string, section: SectionDefinition, query: SectionQuery): ColumnDefinition {
  return { ...query.definition.columns[name], ...section.columns[name] };
}

function reportColumn(
  { name, type }: QueryColumn,
  declaration: ColumnDefinition,
  query: SectionQuery,
  cells: readonly Cell[],
): ReportColumn {
  const format = declaration.format ?? defaultFormat(type);
  const kind = kindOf(type);
  if (kindByFormat[format] !== kind && kindByFormat[format] !== 'text') {
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

function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const integerType = /^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/;

function defaultFormat(type: string): ColumnFormat {
  return integerType.test(type) ? 'count' : formatByKind[kindOf(type)];
}

function kindOf(type: string): Kind {
  if (integerType.test(type) || /^(DOUBLE|FLOAT|DECIMAL)/.test(type))
    return type.endsWith(']') ? 'other' : 'number';
  if (type === 'VARCHAR' || type === 'UUID' || type === 'JSON') return 'text';
  if (type === 'VARCHAR[]') return 'list';
  if (type === 'DATE') return 'date';
  if (type === 'TIMESTAMP WITH TIME ZONE') return 'datetime';
  return type === 'BOOLEAN' ? 'boolean' : 'other';
}

/** Long decimals come as text; renderers take numbers. Lists that hold a null come as their JSON. */
function fitted(cell: Cell, column: Pick<ReportColumn, 'format'> | undefined): Cell {
  if (typeof cell !== 'string' || column === undefined) return cell;
  if (kindByFormat[column.format] === 'number') return Number(cell);
  return column.format === 'list' ? [cell] : cell;
}
