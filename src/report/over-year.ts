import type { ChartDefinition } from './chart-schema.ts';
import type { SectionDefinition } from './definition-schema.ts';
import {
  type Grouped,
  chartOf,
  groupedSection,
  lastOf,
  nameOf,
  postsOf,
  typedName,
} from './grouped-section.ts';

/** What a section is in a period of a month or two, and the section of the rows that it draws there. */
interface OverYear {
  readonly shown: SectionDefinition['overYear'];
  readonly data: SectionDefinition;
  readonly sql: string;
  /** The SQL of what the drawing is based on. Null if that is what the section is based on. */
  readonly basis: string | null;
}

export function overYearOf(grouped: Grouped): OverYear | null {
  const { written, dimensions } = grouped;
  const chart = chartOf(grouped);
  if (chart?.kind === 'heatmap' && written.chart === 'heatmap')
    return pairsOverYear(grouped, chart);
  const isOfWeeks = written.by === 'time' && lastOf(dimensions).name === 'week';
  return isOfWeeks && chart?.kind === 'bars' && typeof written.chart !== 'object'
    ? monthsOverYear(grouped, chart)
    : null;
}

/** The SQL of a figure's value, a double, of which counts are whole. */
function sumOf(figure: string): string {
  return ['impressions', 'interactions', 'views'].includes(figure) ? 'value::hugeint' : 'value';
}

/** The months up to that of the period, of which the table has the weeks. */
function monthsOverYear(grouped: Grouped, { target }: { target: string | null }): OverYear {
  const { name: y, scope, young } = grouped.figure;
  const instead = grouped.instead?.name;
  const rows = 'thirteen_months';
  const description = '{figure:phrase} by month of publication, over 13 months.';
  const drawn = { x: 'month', y, previous: null, not_final: young, target };
  const columns = new Map([
    ['month', 'month'],
    ['is_period', 'is_period'],
    [postsOf(grouped.figure), 'posts'],
    [y, sumOf(y)],
    ...(young === null ? [] : [[young, 'young'] as const]),
    ...(target === null ? [] : [[target, 'target'] as const]),
    ...(instead === undefined ? [] : [[instead, instead] as const]),
    ['is_read', 'is_read'],
  ]);
  const joined =
    instead === undefined
      ? ''
      : `left join (select month, ${sumOf(instead)} as ${instead} from thirteen_months_of('${scope}', '${instead}')) using (month)\n`;
  return {
    shown: {
      description: `${description} The table has the weeks of the period.`,
      chart: { kind: 'bars', ...drawn, marked: 'is_period', rows },
    },
    data: {
      ...dataSection(grouped, columns),
      name: rows,
      title: '13 months',
      description,
      key: ['month'],
    },
    sql: `select ${selected(columns)}\nfrom thirteen_months_of('${scope}', '${y}')\n${joined}order by month`,
    basis: null,
  };
}

/** A heat map of the 12 months up to the end of the period, of which a cell of a month has too few posts. */
function pairsOverYear(
  grouped: Grouped,
  chart: Extract<ChartDefinition, { kind: 'heatmap' }>,
): OverYear {
  const { title, description, key } = groupedSection(grouped);
  const [first, second] = grouped.dimensions;
  const { name, scope, counted } = grouped.figure;
  const rows = `${nameOf(grouped)}_over_year`;
  const source = `pairs_over_year('${scope}', '${first?.name ?? ''}', '${second?.name ?? ''}', '${name}')`;
  const posts = postsOf(grouped.figure);
  const columns = new Map([
    ...(first ? [[first.name, typedName('part_of', first)] as const] : []),
    ...(second ? [[second.name, typedName('name', second)] as const] : []),
    ...(counted === posts ? [] : [[posts, 'posts'] as const]),
    [name, 'value'],
    [counted, 'counted'],
  ]);
  return {
    shown: { description, chart: { ...chart, rows } },
    data: {
      ...dataSection(grouped, columns),
      name: rows,
      title: `${title}, 12 months`,
      description,
      key,
    },
    sql: `select ${selected(columns)}\nfrom ${source}\norder by all`,
    basis: `select (select basis from report_figures where name = '${name}') as text, sum(counted)::bigint as n from ${source}`,
  };
}

/** SQL by the name of its column. */
type Columns = ReadonlyMap<string, string>;

function selected(columns: Columns): string {
  return [...columns].map(([name, sql]) => (name === sql ? name : `${sql} as ${name}`)).join(', ');
}

function dataSection(grouped: Grouped, columns: Columns): SectionDefinition {
  const section = groupedSection(grouped);
  return {
    ...section,
    layout: 'data',
    grain: 'over year',
    chart: null,
    total: null,
    sorted_by: null,
    notes: [],
    columns: Object.fromEntries(
      Object.entries(section.columns).filter(([name]) => columns.has(name)),
    ),
  };
}
