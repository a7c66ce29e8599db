import { isDeepStrictEqual } from 'node:util';
import { median } from 'd3-array';
import { z } from 'zod';
import {
  isFigureFormat,
  type Cell,
  type ColumnFormat,
  type FigureFormat,
} from '../languages/number-format.ts';
import { type Language, translate, translateWord, withoutNumbers } from '../languages/phrases.ts';
import type { YamlPath } from '../core/yaml-source.ts';
import type { QueryColumn, QueryResult } from '../warehouse/database.ts';
import { type ChartDefinition, type DrawnColumn, drawnColumns } from './chart-schema.ts';
import { yamlFaults } from './definition-file.ts';
import type { ColumnDefinition, SectionDefinition } from './definition-schema.ts';
import { mergedColumns } from './grouped-section.ts';
import { wordsWithMetrics } from './metric-names.ts';
import type { ReportDefinition } from './report-catalog.ts';
import type { ReportColumn, ReportTable } from './report-document.ts';
import { ReportDefinitionError, type ReportFault } from './report-errors.ts';
import type { SectionQuery } from './section-query.ts';
import type { ReportSession } from './report-session.ts';

/** The translations of a report's words, and the figures that could not be read of some posts, which have a reason of their own. */
type Names = Pick<ReportSession, 'language' | 'metrics' | 'unreadableFigures'>;

/**
 * Builds a section's table from its rows, the columns in report.yaml and the SQL's types.
 * @throws ReportDefinitionError
 */
export function sectionTable(
  result: QueryResult,
  section: SectionDefinition,
  query: SectionQuery,
  names: Names,
): ReportTable {
  const faults = sectionFaults(query.definition, section, result.columns);
  if (faults.length > 0) throw new ReportDefinitionError(faults);
  const declared = result.columns.map(({ name }) =>
    declaredColumn(name, section, query.definition),
  );
  const columns = withChanges(
    result.columns.map((column, index) =>
      reportColumn(column, declared[index] ?? {}, result, names),
    ),
    result,
  );
  return translatedTable({ columns, ...fittedRows(result, columns) }, declared, names);
}

/**
 * Returns the section as it is sorted and drawn in a document that leads with another figure than the report's own. Null if it has nothing to show.
 */
export function sectionLed(
  section: SectionDefinition,
  { figure, leading }: Pick<ReportDefinition, 'figure' | 'leading'>,
  { columns, rows }: QueryResult,
): SectionDefinition | null {
  const { sorted_by: sorted, chart } = section;
  if (leading === null || rows.length === 0) return section;
  const names = columns.map(({ name }) => name);
  const known = names.filter((_, at) => rows.some((row) => (row[at] ?? null) !== null));
  const isOther = (name: string | null) =>
    name !== null && ((name === figure && name !== leading) || !known.includes(name));
  const drawn = chart && drawnFigure(chart);
  const isKnown = known.includes(leading);
  const isMap = chart?.kind === 'heatmap' && leading !== figure;
  if (isOther(drawn) && (isMap || (!isKnown && sorted === null))) return null;
  if (leading === figure) return section;
  return {
    ...section,
    sorted_by: isOther(sorted) && isKnown ? leading : sorted,
    chart: chart && isOther(drawn) ? chartLed(chart, leading) : chart,
    columns: mergedColumns(section.columns, {
      ...(names.includes(leading) && { [leading]: { html: true, primary: true } }),
      // no comparison is of that figure
      ...(names.includes('not_compared') && { not_compared: { html: false } }),
    }),
  };
}

function drawnFigure(chart: ChartDefinition): string | null {
  if ('y' in chart) return chart.y;
  return 'value' in chart && chart.rows === null ? chart.value : null;
}

function chartLed(chart: ChartDefinition, y: string): ChartDefinition | null {
  if (chart.kind === 'bars')
    return { ...chart, y, previous: null, not_final: null, target: null, within: null };
  const isOfFigure = chart.kind === 'multiples' || (chart.kind === 'lines' && chart.rows === null);
  return isOfFigure ? { ...chart, y, previous: null } : null;
}

/** Translates the words of the table's columns. Exact formats keep the originals. */
function translatedTable(
  table: ReportTable,
  declared: readonly ColumnDefinition[],
  { language, metrics }: Names,
): ReportTable {
  const words = declared.map((column) => wordsWithMetrics(column.words ?? [], metrics));
  if (language.phrases.size === 0 || words.every((own) => own !== true && own.length === 0))
    return table;
  const translated = (cell: Cell, own: true | readonly string[]): Cell => {
    if (Array.isArray(cell)) return cell.map((item) => translated(item as Cell, own)) as string[];
    if (typeof cell !== 'string') return cell;
    const isWord = own === true || own.includes(cell) || own.includes(withoutNumbers(cell));
    return isWord ? translateWord(cell, language) : cell;
  };
  const rows = table.rows.map((row) => row.map((cell, at) => translated(cell, words[at] ?? [])));
  if (isDeepStrictEqual(rows, table.rows)) return table;
  return { ...table, rows, exactRows: table.exactRows ?? table.rows };
}

/** Builds the table of a query without a report.yaml. Lists are printed as JSON. */
export function plainTable(result: QueryResult): ReportTable {
  const isList = result.columns.map(({ type }) => type.endsWith(']'));
  const columns = result.columns.map(({ name, type }, at) => ({
    ...unnamed,
    name,
    title: name,
    format: isList[at] ? ('text' as const) : defaultFormat(type),
  }));
  const { rows, exactRows } = fittedRows(result, columns);
  if (!isList.includes(true)) return { columns, rows, ...(exactRows && { exactRows }) };
  const withLists = (table: ReportTable['rows'], convert: (list: Cell) => Cell) =>
    table.map((row) => row.map((cell, at) => (isList[at] ? convert(cell) : cell)));
  return {
    columns,
    rows: withLists(rows, (list) => (Array.isArray(list) ? JSON.stringify(list) : list)),
    exactRows: withLists(exactRows ?? rows, (list) =>
      typeof list === 'string' ? (JSON.parse(list) as Cell) : list,
    ),
  };
}

const unnamed = { nullNote: null, isInHtml: true, isPrimary: false, calculation: null };

/** Returns the parts of report.yaml, each with its line, that do not fit the columns of a section's SQL. */
export function sectionFaults(
  definition: ReportDefinition,
  section: SectionDefinition,
  columns: readonly QueryColumn[],
): ReportFault[] {
  const faults = [
    ...namedColumns(definition, section).flatMap((named) => {
      const message = nameProblem(named, section, columns);
      return message === null ? [] : [{ keyPath: named.keyPath, message }];
    }),
    ...columns.flatMap(({ name, type }) => {
      const { format } = declaredColumn(name, section, definition);
      if (format === undefined || canPrint(format, type)) return [];
      const isOwn = section.columns[name]?.format !== undefined;
      const keyPath = [...(isOwn ? keyPathOf(section) : []), 'columns', name, 'format'];
      const message = `${section.name}.sql gives ${type}, which cannot be printed as ${format}`;
      return [{ keyPath, message }];
    }),
  ];
  return yamlFaults(definition, faults);
}

interface NamedColumn {
  readonly keyPath: YamlPath;
  readonly name: string;
  /** The kind of value that a chart can draw there. Null for any kind. */
  readonly kind: DrawnColumn['kind'];
}

/** The columns that the workbook needs to price a section again. */
const pricedColumns = ['impressions', 'emv'];

function namedColumns(definition: ReportDefinition, section: SectionDefinition): NamedColumn[] {
  const own = keyPathOf(section);
  const { columns, key } = section;
  const named = (keyPath: YamlPath, names: readonly string[] | string | null | undefined) =>
    [names ?? []].flat().map((name) => ({ keyPath: [...own, ...keyPath], name, kind: null }));
  return [
    ...Object.keys(columns).flatMap((name) => named(['columns', name], name)),
    ...Object.entries(columns).flatMap(([name, column]) =>
      (['colored_where', 'format_by', 'unlike'] as const).flatMap((part) =>
        named(['columns', name, part], column[part]),
      ),
    ),
    ...key.flatMap((name, at) => named(['key', at], name)),
    ...(['sorted_by', 'several'] as const).flatMap((part) => named([part], section[part])),
    ...(definition.what_if.includes(section.name) ? pricedColumns : []).map((name) => ({
      keyPath: ['what_if', definition.what_if.indexOf(section.name)],
      name,
      kind: 'number' as const,
    })),
    ...definition.sections.flatMap((drawer) =>
      drawer.chart === null || (drawer.chart.rows ?? drawer.name) !== section.name
        ? []
        : drawnColumns(drawer.chart).map(({ part, column, kind }) => ({
            keyPath: [...keyPathOf(drawer), 'chart', part],
            name: column,
            kind,
          })),
    ),
  ];
}

function keyPathOf(section: SectionDefinition): YamlPath {
  return ['sections', section.index];
}

function nameProblem(
  { name, kind }: NamedColumn,
  section: SectionDefinition,
  columns: readonly QueryColumn[],
): string | null {
  const column = columns.find((known) => known.name === name);
  if (column === undefined) {
    const names = columns.map((known) => known.name).join(', ');
    return `${section.name}.sql has no column ${name}; it has ${names}`;
  }
  if (kind === null || kindOf(column.type) === kind) return null;
  return `${name} is ${column.type}; the chart takes a number`;
}

/**
 * Returns the definition of a section's column. The section takes precedence over the report, and the report
 * over the shared columns.
 */
export function declaredColumn(
  name: string,
  section: Pick<SectionDefinition, 'columns'>,
  { sharedColumns, columns }: ReportDefinition,
): ColumnDefinition {
  return { ...sharedColumns[name], ...columns[name], ...section.columns[name] };
}

/** Returns what a column is called, and how its values are printed. */
export function columnHead(
  { name, type }: QueryColumn,
  { title = titleOf(name), format = defaultFormat(type) }: ColumnDefinition,
  language: Language,
): Pick<ReportColumn, 'title' | 'format'> {
  return { title: translate(title, language), format };
}

function reportColumn(
  { name, type }: QueryColumn,
  declaration: ColumnDefinition,
  result: QueryResult,
  { language, unreadableFigures }: Names,
): ReportColumn {
  const indexOfName = (wanted: string) => result.columns.findIndex((one) => one.name === wanted);
  const cells = cellsOf(result, indexOfName(name));
  const { colored_where: coloredWhere, format_by: formatBy, unlike = [] } = declaration;
  const likes = unlike.map((other) => cellsOf(result, indexOfName(other)));
  const head = columnHead({ name, type }, declaration, language);
  // a post whose time could not be read is in no row
  const ofFigures = unreadableFigures.filter((own) => !own.test('posts'));
  const isDoubtful = isFigureFormat(head.format) && ofFigures.some((own) => own.test(name));
  const nullNote = isDoubtful
    ? translate('Not given, or could not be read.', language)
    : translate(declaration.null_note ?? '', language);
  return {
    name,
    ...head,
    nullNote: nullNote || null,
    isInHtml: isShown(declaration, cells) && !likes.some((other) => isSame(cells, other)),
    isPrimary: declaration.primary ?? false,
    ...(coloredWhere !== undefined && { coloredWhere }),
    ...(formatBy !== undefined && { formatIndex: indexOfName(formatBy) }),
    calculation: declaration.calculation ?? null,
  };
}

/** Adds to each change the column indexes of its figures. */
function withChanges(columns: readonly ReportColumn[], result: QueryResult): ReportColumn[] {
  return columns.map((column) => {
    const { calculation } = column;
    if (calculation?.kind !== 'change') return column;
    const [of, from] = [calculation.of, calculation.from].map((wanted) =>
      columns.findIndex(({ name }) => name === wanted),
    ) as [number, number];
    const before = columns[from];
    if (of < 0 || before === undefined) return column;
    const { format, formatIndex } = before;
    // figures of several units have no median
    const middle =
      formatIndex === undefined ? median(cellsOf(result, from).flatMap(knownFigure)) : 0;
    const change = { of, from, format, ...(formatIndex !== undefined && { formatIndex }) };
    return { ...column, change: { ...change, least: (middle ?? 0) / 10 } };
  });
}

function knownFigure(cell: Cell): number[] {
  return cell === null ? [] : [Number(cell)];
}

function cellsOf({ rows }: QueryResult, index: number): Cell[] {
  return rows.map((row) => row[index] ?? null);
}

function isShown({ html = true, calculation }: ColumnDefinition, cells: readonly Cell[]): boolean {
  if (typeof html === 'boolean') return html;
  const known = cells.filter((cell) => cell !== null);
  if (html === 'known') return known.length > 0;
  // where a ratio is not known, its terms say why
  const compared = calculation?.kind === 'ratio' ? known : cells;
  return compared.some((cell) => shortText(cell) !== shortText(compared[0]));
}

function isSame(cells: readonly Cell[], others: readonly Cell[]): boolean {
  return cells.every((cell, at) => shortText(cell) === shortText(others[at]));
}

/** The text of a cell without the rounding error of a ratio. */
function shortText(cell: Cell | undefined): string {
  return String(typeof cell === 'number' ? Number(cell.toPrecision(12)) : cell);
}

/** Returns the header of a column for which report.yaml has no title. */
export function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function fittedRows(
  result: QueryResult,
  columns: readonly ReportColumn[],
): Pick<ReportTable, 'rows' | 'exactRows'> {
  // most tables fit as they are, and long ones need not be in memory twice
  const isFitting = (cell: Cell, column: ReportColumn | undefined) =>
    fittedCell(cell, column) === cell;
  if (result.rows.every((row) => row.every((cell, at) => isFitting(cell, columns[at]))))
    return { rows: result.rows };
  const fit = (fitCell: typeof fittedCell) =>
    result.rows.map((row) => row.map((cell, index) => fitCell(cell, columns[index])));
  const rows = fit(fittedCell);
  const isExact = !result.rows.some((row) => row.some((cell, at) => isLong(cell, columns[at])));
  if (isExact) return { rows };
  return { rows, exactRows: fit((cell, of) => (isLong(cell, of) ? cell : fittedCell(cell, of))) };
}

/** Returns true for a decimal with more digits than a number can hold. */
function isLong(cell: Cell, column: Pick<ReportColumn, 'format'> | undefined): boolean {
  if (typeof cell !== 'string' || column === undefined) return false;
  return kindOfFormat(column.format) === 'number';
}

/**
 * Converts a cell to the type of its column's format. Long decimals arrive as text, and lists that contain a
 * null arrive as JSON.
 */
export function fittedCell(cell: Cell, column: Pick<ReportColumn, 'format'> | undefined): Cell {
  if (typeof cell !== 'string' || column === undefined) return cell;
  if (kindOfFormat(column.format) === 'number') return Number(cell);
  if (column.format === 'trend') return trendSchema.parse(cell);
  return column.format === 'list' ? [cell] : cell;
}

/** A list of doubles, which arrives as JSON. */
export const trendSchema = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue('expected a list of numbers');
      return z.NEVER;
    }
  })
  .pipe(z.array(z.number().nullable()));

/** The kinds of DuckDB types that formats tell apart. */
type Kind = 'number' | 'text' | 'list' | 'numbers' | 'date' | 'datetime' | 'boolean' | 'other';

/** The kind of value that each format prints; `text` prints any kind. */
const kindOfOthers: Readonly<Record<Exclude<ColumnFormat, FigureFormat>, Kind>> = {
  text: 'text',
  longtext: 'text',
  url: 'text',
  list: 'list',
  trend: 'numbers',
  month: 'date',
  quarter: 'date',
  date: 'date',
  datetime: 'datetime',
  weekday: 'number',
  hour: 'number',
  boolean: 'boolean',
};

function kindOfFormat(format: ColumnFormat): Kind {
  return isFigureFormat(format) ? 'number' : kindOfOthers[format];
}

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

/** Returns true if values of a DuckDB type can be printed in a format. */
function canPrint(format: ColumnFormat, type: string): boolean {
  return kindOfFormat(format) === 'text' || kindOfFormat(format) === kindOf(type);
}

const integerType = /^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/;

/**
 * Returns the format of a column for which report.yaml has none.
 * @param type the type as DuckDB writes it
 */
export function defaultFormat(type: string): ColumnFormat {
  return integerType.test(type) ? 'count' : formatByKind[kindOf(type)];
}

function numbersKind(type: string): Kind {
  return type === 'DOUBLE[]' ? 'numbers' : 'other';
}

/**
 * Returns the kind of a DuckDB type.
 * @param type the type as DuckDB writes it, for example `DECIMAL(38,3)`
 */
function kindOf(type: string): Kind {
  if (integerType.test(type) || /^(DOUBLE|FLOAT|DECIMAL)/.test(type))
    return type.endsWith(']') ? numbersKind(type) : 'number';
  if (type === 'VARCHAR' || type === 'UUID' || type === 'JSON') return 'text';
  if (type === 'VARCHAR[]') return 'list';
  if (type === 'DATE') return 'date';
  if (type === 'TIMESTAMP WITH TIME ZONE') return 'datetime';
  return type === 'BOOLEAN' ? 'boolean' : 'other';
}
