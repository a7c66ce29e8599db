import { quoteText } from '../warehouse/sql-text.ts';
import type { SharedFile } from './definition-schema.ts';

type Value = string | boolean | null;

/**
 * The SQL that follows from the dimensions, amounts and figures of reports/shared.yaml: the tables report_dimensions and
 * report_figures, and the macros by which SQL groups, orders and adds up posts. `post` is a post as one value.
 */
export function dimensionSql(shared: SharedFile): string {
  const { dimensions, inner_dimensions: inner, amounts, figures } = shared;
  const named = Object.entries(dimensions);
  const groups = { ...inner, ...mapValues(dimensions, (dimension) => dimension.groups) };
  const orders = named.flatMap(([name, { order }]) => (order === null ? [] : [[name, order]]));
  return [
    tableOf('report_dimensions', dimensions, saidOfDimensions),
    tableOf('report_figures', figures, Object.keys(Object.values(figures)[0] ?? {})),
    macroOf('names_of(dimension, post)', 'dimension', groups),
    macroOf('group_order(dimension, name)', 'dimension', Object.fromEntries(orders) as Texts),
    macroOf('amount_of(name, post)', 'name', amounts),
    listOf('dimension_names()', Object.keys(groups)),
    listOf('amount_names()', Object.keys(amounts)),
  ].join('\n');
}

type Texts = Readonly<Record<string, string>>;
type Rows = Readonly<Record<string, Readonly<Record<string, Value>>>>;

/** What of a dimension is no SQL. */
const saidOfDimensions = [
  ...['title', 'word', 'description', 'noun', 'total', 'sort', 'sentence', 'needs_details'],
];

function tableOf(table: string, rows: Rows, columns: readonly string[]): string {
  const values = Object.entries(rows).map(([name, row]) =>
    [name, ...columns.map((column) => row[column] ?? null)].map(literalOf).join(', '),
  );
  return `create or replace temp table ${table} as
select * from (values\n  (${values.join('),\n  (')})\n) as listed (name, ${columns.join(', ')});`;
}

function literalOf(value: Value): string {
  return typeof value === 'string' ? quoteText(value) : String(value);
}

function macroOf(signature: string, by: string, cases: Texts): string {
  const whens = Object.entries(cases).map(([name, sql]) => `when ${quoteText(name)} then ${sql}`);
  return `create or replace temp macro ${signature} as case ${by}\n  ${whens.join('\n  ')}\nend;`;
}

function listOf(signature: string, names: readonly string[]): string {
  return `create or replace temp macro ${signature} as [${names.map(quoteText).join(', ')}];`;
}

function mapValues<Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Readonly<Record<string, Mapped>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
