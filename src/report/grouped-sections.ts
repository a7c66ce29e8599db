import { readSql } from '../warehouse/sql-file.ts';
import { quoteText } from '../warehouse/sql-text.ts';
import type { ChartDefinition } from './chart-schema.ts';
import type { YamlProblem } from './definition-file.ts';
import type {
  DefinitionFile,
  MadeChart,
  SectionDefinition,
  SharedFile,
  WrittenSection,
} from './definition-schema.ts';

/** A row of sql/report/dimensions.sql. */
interface Dimension {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly total: string | null;
  readonly sort: string;
}

/** A row of sql/report/figures.sql. */
interface Figure {
  readonly name: string;
  readonly title: string;
  readonly scope: string;
  readonly previous: string | null;
  readonly target: string | null;
  readonly young: string | null;
  readonly counted: string;
}

/** A report of which each section has its SQL, whether that is a file or follows from a dimension. */
export interface WrittenOut {
  readonly sections: readonly SectionDefinition[];
  /** The SQL that follows, by the name of the file that it stands for. */
  readonly sql: ReadonlyMap<string, string>;
  readonly problems: readonly YamlProblem[];
}

/** The dimensions that `by: time` chooses from. */
const grains = ['week', 'month', 'quarter'] as const;

/** What a section `by` dimensions is made of. */
interface Grouped {
  readonly file: DefinitionFile;
  readonly written: WrittenSection;
  readonly place: number;
  readonly dimensions: readonly Dimension[];
  readonly figure: Figure;
  readonly instead: Figure | null;
}

/**
 * Writes out the sections of report.yaml that are `by` a dimension: their titles, keys and charts, and the SQL of their
 * rows, sentences, notes and bases, and of what the report's sections share.
 */
export async function writeOut(
  file: DefinitionFile,
  shared: SharedFile['sections'],
): Promise<WrittenOut> {
  const dimensions = byName<Dimension>(await readRows('report/dimensions.sql'));
  const figures = byName<Figure>(await readRows('report/figures.sql'));
  const problems: YamlProblem[] = [];
  const find = <Found>(
    known: ReadonlyMap<string, Found>,
    name: string | null,
    place: YamlProblem['place'],
  ): Found | null => {
    const found = name === null ? undefined : known.get(name);
    if (found === undefined && name !== null) {
      const message = `${name} is not one of ${[...known.keys()].join(', ')}`;
      problems.push({ place, message });
    }
    return found ?? null;
  };
  const main =
    file.groups === null ? find(figures, file.figure, ['figure']) : ownFigure(file, figures);
  const instead = find(figures, file.instead, ['instead']);
  const groups: Grouped[] = [];
  const sections = file.sections
    .map((written) => withShared(written, shared))
    .flatMap((written, place): SectionDefinition[] => {
      const { by } = written;
      const at = ['sections', place];
      if (by === undefined) {
        for (const key of ['title', 'description'] as const) {
          const message = 'missing; only a section `by` a dimension can do without';
          if (written[key] === undefined) problems.push({ place: [...at, key], message });
        }
        return [{ ...ownSection(written, place), ...titlesOf(main, instead) }];
      }
      const figure = written.figure ? find(figures, written.figure, [...at, 'figure']) : main;
      if (figure === null) {
        if (!written.figure && file.figure === null)
          problems.push({ place: [...at, 'by'], message: 'the report has no `figure`; name one' });
        return [];
      }
      const names = Array.isArray(by) ? by : [by];
      const found = (names.includes('time') ? grains : [null]).flatMap((grain): Grouped[] => {
        const own = names.map((name) =>
          find(dimensions, name === 'time' ? grain : name, [...at, 'by']),
        );
        const known = own.filter((dimension) => dimension !== null);
        if (known.length < own.length) return [];
        return [{ file, written, place, dimensions: known, figure, instead }];
      });
      groups.push(...found);
      return found.map((grouped) => ({
        ...groupedSection(grouped),
        overYear: overYearOf(grouped)?.shown ?? null,
      }));
    });
  const data = groups.flatMap((grouped) => overYearOf(grouped)?.data ?? []);
  return {
    sections: [...sections, ...data],
    sql: main === null || groups.length === 0 ? new Map() : sqlOf(groups, main),
    problems,
  };
}

/** Returns the figure of a report with groups of its own, of which it may be any column. */
function ownFigure(
  { figure, columns }: DefinitionFile,
  figures: ReadonlyMap<string, Figure>,
): Figure | null {
  if (figure === null) return null;
  const own = { name: figure, title: columns[figure]?.title ?? figure };
  const without = { previous: null, target: null, young: null };
  return figures.get(figure) ?? { ...own, ...without, scope: 'posts', counted: 'posts' };
}

/** A section without a title is the shared one of its name, beside what report.yaml says of it. */
function withShared(written: WrittenSection, shared: SharedFile['sections']): WrittenSection {
  const { by, name = '', title, description, empty, appendix, key, columns } = written;
  const usual = by === undefined && title === undefined ? shared[name] : undefined;
  if (usual === undefined) return written;
  return {
    ...written,
    ...usual,
    description: description ?? usual.description,
    empty: empty ?? usual.empty,
    appendix: appendix || usual.appendix,
    key: key.length > 0 ? key : usual.key,
    columns: mergedColumns(usual.columns, columns),
  };
}

export function mergedColumns(
  own: SectionDefinition['columns'],
  others: SectionDefinition['columns'],
): SectionDefinition['columns'] {
  const names = [...new Set([...Object.keys(own), ...Object.keys(others)])];
  return Object.fromEntries(names.map((name) => [name, { ...own[name], ...others[name] }]));
}

function byName<Row extends { readonly name: string }>(rows: readonly unknown[]) {
  return new Map((rows as readonly Row[]).map((row) => [row.name, row]));
}

/** Reads the rows of a list of values, which SQL reads too: a list of reports opens no database. */
async function readRows(name: string): Promise<Readonly<Record<string, string | null>>[]> {
  const text = await readSql(name);
  const [, values = '', heads = ''] =
    /\n {2}values\n([^]*?)\n\) as \w+ \(([^)]*)\)/.exec(text) ?? [];
  const columns = heads.split(', ');
  const cells = [...values.matchAll(/'((?:[^']|'')*)'|\b(?:null|true|false)\b/g)].map(
    ([, quoted]) => (quoted === undefined ? null : quoted.replaceAll("''", "'")),
  );
  return Array.from({ length: cells.length / columns.length }, (_, row) =>
    Object.fromEntries(
      columns.map((column, at) => [column, cells[row * columns.length + at] ?? null]),
    ),
  );
}

function titlesOf(figure: Figure | null, instead: Figure | null) {
  return { figure: figure?.title ?? null, figureInstead: instead?.title ?? null };
}

function ownSection(
  {
    name = '',
    title = '',
    description = '',
    chart,
    total = null,
    hides,
    ...written
  }: WrittenSection,
  place: number,
): Omit<SectionDefinition, 'figure' | 'figureInstead'> {
  const own = typeof chart === 'string' ? null : (chart ?? null);
  const made = { place, grain: null, overYear: null, descriptionInstead: null };
  const hidden = Object.fromEntries(hides.map((column) => [column, { html: false }]));
  const columns = mergedColumns(written.columns, hidden);
  return { ...written, ...made, name, title, description, total, chart: own, columns };
}

function groupedSection(grouped: Grouped): SectionDefinition {
  const { written, place, dimensions, figure, instead } = grouped;
  const last = lastOf(dimensions);
  const isOfFigure = dimensions.every(({ sort }) => sort === 'figure');
  const isOfTime = written.by === 'time';
  const own = ownSection(written, place);
  return {
    ...own,
    ...titlesOf(figure, instead),
    name: nameOf(grouped),
    title: (isOfTime ? null : written.title) ?? titleOf(dimensions),
    description: (isOfTime ? null : written.description) ?? descriptionOf(dimensions),
    descriptionInstead: descriptionOf(dimensions),
    key: written.key.length > 0 ? written.key : dimensions.flatMap(keyOf),
    sorted_by: written.sorted_by ?? (isOfFigure ? figure.name : null),
    total:
      written.total === undefined && dimensions.length === 1 ? last.total : (written.total ?? null),
    chart: chartOf(grouped),
    columns: withPrimary(own.columns, dimensions),
    grain: isOfTime ? (last.name as SectionDefinition['grain']) : null,
  };
}

/** The groups stay on narrow screens. */
function withPrimary(
  columns: WrittenSection['columns'],
  dimensions: readonly Dimension[],
): WrittenSection['columns'] {
  const named = new Map(Object.entries(columns));
  for (const { name } of dimensions) named.set(name, { primary: true, ...named.get(name) });
  return Object.fromEntries(named);
}

/** What a section is in a period of a month or two, and the section of the rows that it draws there. */
interface OverYear {
  readonly shown: SectionDefinition['overYear'];
  readonly data: SectionDefinition;
  readonly sql: string;
  /** The SQL of what the drawing is based on. Null if that is what the section is based on. */
  readonly basis: string | null;
}

function overYearOf(grouped: Grouped): OverYear | null {
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
  const columns = [
    'month',
    'is_period',
    `posts as ${postsOf(grouped.figure)}`,
    `${sumOf(y)} as ${y}`,
    ...(young === null ? [] : [`young as ${young}`]),
    ...(target === null ? [] : [`target as ${target}`]),
    ...(instead === undefined ? [] : [instead]),
    'is_read',
  ];
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
      ...{ name: rows, title: '13 months', description, key: ['month'] },
    },
    sql: `select ${columns.join(', ')}\nfrom thirteen_months_of('${scope}', '${y}')\n${joined}order by month`,
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
  const columns = [
    ...(first ? [`${typedName('part_of', first)} as ${first.name}`] : []),
    ...(second ? [`${typedName('name', second)} as ${second.name}`] : []),
    ...(counted === posts ? [] : [`posts as ${posts}`]),
    `value as ${name}`,
    `counted as ${counted}`,
  ];
  return {
    shown: { description, chart: { ...chart, rows } },
    data: {
      ...dataSection(grouped, columns),
      ...{ name: rows, title: `${title}, 12 months`, description, key },
    },
    sql: `select ${columns.join(', ')}\nfrom ${source}\norder by all`,
    basis: `select (select basis from report_figures where name = '${name}') as text, sum(counted)::bigint as n from ${source}`,
  };
}

function dataSection(grouped: Grouped, columns: readonly string[]): SectionDefinition {
  const section = groupedSection(grouped);
  const names = columns.map((column) => column.replace(/.* /, ''));
  return {
    ...section,
    layout: 'data',
    grain: 'over year',
    chart: null,
    total: null,
    sorted_by: null,
    notes: [],
    columns: Object.fromEntries(
      Object.entries(section.columns).filter(([name]) => names.includes(name)),
    ),
  };
}

function nameOf({ written, dimensions }: Grouped): string {
  if (written.by !== 'time' && written.name !== undefined) return written.name;
  return `by_${dimensions.map(({ name }) => name).join('_')}`;
}

function titleOf(dimensions: readonly Dimension[]): string {
  const [first, second] = dimensions;
  return second ? `${first?.title ?? ''} and ${second.name}` : (first?.title ?? '');
}

function descriptionOf(dimensions: readonly Dimension[]): string {
  const [first, second] = dimensions;
  return second
    ? `{figure:phrase} by ${first?.name ?? ''} and ${second.name}.`
    : (first?.description ?? '');
}

function lastOf(dimensions: readonly Dimension[]): Dimension {
  const last = dimensions.at(-1);
  if (last === undefined) throw new RangeError('a section by no dimension');
  return last;
}

function keyOf({ name }: Dimension): string[] {
  return name === 'profile' ? ['workspace', 'profile_id'] : [name];
}

/** The columns of a section beside those of its groups, each where it applies, with those that its chart draws. */
function shownBy({ file, written, dimensions, figure }: Grouped): string[] {
  const isOfTime = dimensions.length === 1 && lastOf(dimensions).sort === 'time';
  const usual = file.shows.length > 0 ? file.shows : [postsOf(figure), figure.name];
  const drawn = typeof written.chart === 'string' ? drawnBy(written.chart, figure) : [];
  const wanted = new Set([...(written.shows ?? usual), ...written.adds, ...drawn]);
  return [...wanted].filter((column) => {
    if (column === 'profile_id') return isOfProfile(dimensions);
    return isOfTime ? column !== 'trend' : !isOfTimeAlone(column);
  });
}

function drawnBy(chart: MadeChart, { name, counted }: Figure): string[] {
  if (chart === 'quartiles') return [name, ...Object.values(quartiles)];
  return chart === 'heatmap' ? [name, counted] : [name];
}

/** The columns of the quartiles of posts' engagement rates. */
const quartiles = { low: 'rate_p25', middle: 'rate_p50', high: 'rate_p75' } as const;

function isOfProfile(dimensions: readonly Dimension[]): boolean {
  return dimensions.some(({ name }) => name === 'profile');
}

/** Targets are those of a month or a quarter, and what is not final is drawn in its time. */
function isOfTimeAlone(column: string): boolean {
  return /^young_|^not_final$|_target$/.test(column);
}

function chartOf(grouped: Grouped): ChartDefinition | null {
  const { written, dimensions, figure } = grouped;
  const { chart } = written;
  if (chart !== null && typeof chart === 'object') return chart;
  const last = lastOf(dimensions);
  const kind =
    chart === undefined && last.sort === 'time' && dimensions.length === 1 ? 'bars' : chart;
  const shown = shownBy(grouped);
  const ifShown = (column: string | null) => (column && shown.includes(column) ? column : null);
  const drawn = { x: last.name, y: figure.name, previous: ifShown(figure.previous), rows: null };
  switch (kind) {
    case 'bars':
      return {
        kind,
        ...drawn,
        not_final: ifShown(figure.young),
        target: ifShown(figure.target),
        marked: null,
      };
    case 'lines':
      return { kind, ...drawn, series: null, n: null, steps: false };
    case 'quartiles':
      return { kind, ...quartiles, value: figure.name, rows: null };
    case 'heatmap':
      return {
        kind,
        row: dimensions[0]?.name ?? last.name,
        column: last.name,
        value: figure.name,
        n: figure.counted,
        minimum: 10,
        rows: null,
      };
    case null:
    case undefined:
      return null;
  }
}

function postsOf({ scope }: Figure): string {
  return scope === 'videos' ? 'videos' : 'posts';
}

/** The SQL of the sections, and the tables that they read. */
function sqlOf(groups: readonly Grouped[], main: Figure): Map<string, string> {
  const own = groups[0]?.file.groups ?? null;
  if (own !== null) return ownSqlOf(groups, own);
  const figures = new Map(groups.map(({ figure }) => [figure.name, figure]));
  const namesBy = (figure: Figure) =>
    groups
      .filter(({ figure: own, dimensions }) => own === figure && dimensions.length === 1)
      .map(wantedBy);
  const wanted = ["'all'", "'kind'", ...groups.map(wantedBy)];
  const shared = [
    `create or replace temp table report_sums as from sums_by('${main.scope}', ${listOf(wanted)});`,
    `create or replace temp table report_groups as from groups_of('report_sums', '${main.name}');`,
    ...[...figures.values()].map(
      (figure) =>
        `create or replace temp table ${comparedBy(figure)} as from compared_by_kind(${listOf(namesBy(figure))}, '${figure.name}');`,
    ),
  ];
  const ofOne = groups.filter(({ dimensions }) => dimensions.length === 1);
  const drawn = groups.flatMap((one) => overYearOf(one) ?? []);
  const bases = [
    ...groups.map((one) => [nameOf(one), `from basis_of(${namesOf(one)})`] as const),
    ...drawn.flatMap(({ data, basis }) => (basis === null ? [] : [[data.name, basis] as const])),
  ];
  return new Map([
    ['_groups.sql', shared.join('\n')],
    [
      '_total.sql',
      "select * exclude (part_of, workspace, profile_id, name, kind) from report_groups where dimension = 'all'",
    ],
    ['_facts.sql', `from summary_of('report_sums', '${main.scope}') cross join report_settings`],
    ['_coverage.sql', `from coverage_of('${main.scope}', '${main.name}') order by position`],
    ['_basis.made.sql', basesOf(bases)],
    ...groups.map((one) => [`${nameOf(one)}.sql`, rowsOf(one)] as const),
    ...drawn.map(({ data, sql }) => [`${data.name}.sql`, sql] as const),
    ...ofOne.flatMap((one) => [
      [`${nameOf(one)}.notes.made.sql`, notesOf(one)] as const,
      [
        `${nameOf(one)}.finding.sql`,
        `from finding_of('${comparedBy(one.figure)}', ${namesOf(one)})`,
      ] as const,
    ]),
  ]);
}

/** The SQL of sections whose groups are in a table of the report, of which it has the sentences itself. */
function ownSqlOf(groups: readonly Grouped[], table: string): Map<string, string> {
  const bases = groups.map(
    (one) =>
      [nameOf(one), `from groups_basis('${table}', '${dimensionOf(one.dimensions)}')`] as const,
  );
  return new Map([
    ['_total.sql', `select * exclude (dimension, name) from ${table} where dimension = 'all'`],
    ['_basis.made.sql', basesOf(bases)],
    ...groups.map((one) => [`${nameOf(one)}.sql`, rowsOf(one)] as const),
  ]);
}

function basesOf(bases: readonly (readonly [section: string, basis: string])[]): string {
  return bases
    .map(([section, basis]) => `select ${quoteText(section)} as section, * from (${basis})`)
    .join('\nunion all\n');
}

function notesOf(grouped: Grouped): string {
  const notes = `from notes_of(${namesOf(grouped)})`;
  if (!isJudged(grouped)) return notes;
  const { dimensions, figure } = grouped;
  return `${notes} union all by name from over_note('${comparedBy(figure)}', '${lastOf(dimensions).name}') order by position`;
}

function dimensionOf(dimensions: readonly Dimension[]): string {
  return dimensions.map(({ name }) => name).join(' ');
}

/** Weeks and quarters are made only where they fit the period. */
function wantedBy({ written, dimensions }: Grouped): string {
  const name = dimensionOf(dimensions);
  return written.by === 'time' && name !== 'month' ? 'fitting_grain()' : quoteText(name);
}

function listOf(names: readonly string[]): string {
  return `[${[...new Set(names)].join(', ')}]`;
}

function comparedBy({ name }: Figure): string {
  return `report_compared_by_${name}`;
}

function namesOf({ dimensions, figure }: Grouped): string {
  return `'${lastOf(dimensions).name}', '${figure.name}'`;
}

function rowsOf(grouped: Grouped): string {
  const { file, written, dimensions, figure, instead } = grouped;
  const [first, second] = dimensions;
  const shown = shownBy(grouped);
  const posts = postsOf(figure);
  if (first?.sort === 'time' && second === undefined)
    return `select ${[`start as ${first.name}`, ...shown].join(', ')}
from times_of('report_sums', '${first.name}')
order by ${first.name} nulls last`;
  const named = dimensions.map(
    (dimension, at) => [at === dimensions.length - 1 ? 'name' : 'part_of', dimension] as const,
  );
  const columns = [
    ...named.map(([column, dimension]) => `${typedName(column, dimension)} as ${dimension.name}`),
    ...(isOfProfile(dimensions) ? ['workspace'] : []),
    ...(isOfProfile(dimensions) && file.groups === null ? ['kind'] : []),
    ...shown,
    ...(isOfProfile(dimensions) && !shown.includes('profile_id') ? ['profile_id'] : []),
  ];
  const { sorted_by: sorted } = written;
  const order = [
    ...named.map(([column, { name, sort }]) =>
      sort === 'figure' ? `${column} = '(none)'` : `group_order('${name}', ${column}), ${column}`,
    ),
    ...[sorted, figure.name, instead?.name].flatMap((by) => (by ? [`${by} desc nulls last`] : [])),
    `${posts} desc`,
    ...named.map(([column]) => column),
    ...(isOfProfile(dimensions) ? ['workspace', 'profile_id'] : []),
  ];
  const name = isOfProfile(dimensions) ? "workspace || ' ' || profile_id" : 'name';
  const judged = isJudged(grouped)
    ? `left join judged_of('report_groups', '${comparedBy(figure)}', '${lastOf(dimensions).name}') on judged_name = ${name}\n`
    : '';
  return `select ${columns.join(', ')}
from ${file.groups ?? 'report_groups'}
${judged}where dimension = '${dimensionOf(dimensions)}'
order by ${order.join(', ')}`;
}

/** Tells whether the section compares its groups with other posts. */
function isJudged(grouped: Grouped): boolean {
  return shownBy(grouped).some((column) => judgedColumns.has(column));
}

/** The columns of judged_of, which compares groups with other posts. */
const judgedColumns: ReadonlySet<string> = new Set([
  'rate_over_year',
  'rate_rest',
  'rate_without',
  'lift',
  'lift_factor',
  'not_compared',
  'rated_posts_without',
  'is_clear',
]);

function typedName(column: string, { name, sort }: Dimension): string {
  if (sort === 'time') return `nullif(${column}, '')::date`;
  return name === 'weekday' || name === 'hour' ? `${column}::integer` : column;
}
