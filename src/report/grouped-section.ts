import type { ChartDefinition } from './chart-schema.ts';
import type {
  DefinitionFile,
  Dimension,
  Figure,
  MadeChart,
  SectionDefinition,
  WrittenSection,
} from './definition-schema.ts';

/** What sections need of a figure, which may also be a column of the report's own groups. */
export type ShownFigure = Pick<
  Figure,
  'name' | 'title' | 'scope' | 'previous' | 'target' | 'young' | 'counted'
>;

/** What a section `by` dimensions is made of. */
export interface Grouped {
  readonly file: Omit<DefinitionFile, 'definitions'>;
  readonly written: WrittenSection;
  readonly index: number;
  readonly dimensions: readonly Dimension[];
  /** The figure that the section is written for, by which its groups are compared with other posts. */
  readonly figure: ShownFigure;
  /** The figure that it ranks, draws and speaks of: the same, or the one that the whole document leads with. */
  readonly led: ShownFigure;
  /** True for a section about the 12 months up to the end of a period of a month or two. */
  readonly isOverYear: boolean;
}

export function ownSection(
  {
    name = '',
    title = '',
    description = '',
    chart,
    total = null,
    hides,
    ...written
  }: WrittenSection,
  index: number,
): Omit<SectionDefinition, 'figure'> {
  const own = typeof chart === 'string' ? null : (chart ?? null);
  const made = { index, grain: null };
  const hidden = Object.fromEntries(hides.map((column) => [column, { html: false }]));
  const columns = mergedColumns(written.columns, hidden);
  return { ...written, ...made, name, title, description, total, chart: own, columns };
}

export function groupedSection(grouped: Grouped): SectionDefinition {
  if (grouped.isOverYear) return overYearSection(grouped);
  const { written, index, dimensions, figure, led } = grouped;
  const last = lastOf(dimensions);
  const isOfFigure = dimensions.every(({ sort }) => sort === 'figure');
  const isOfTime = written.by === 'time';
  const isLed = led !== figure;
  const own = ownSection(written, index);
  return {
    ...own,
    figure: led.title,
    name: nameOf(grouped),
    title: (isOfTime ? null : written.title) ?? titleOf(dimensions),
    description: (isOfTime || isLed ? null : written.description) ?? descriptionOf(dimensions),
    words: wordsOf(dimensions),
    key: written.key.length > 0 ? written.key : dimensions.flatMap(keyOf),
    several: written.several ?? (isOfProfile(dimensions) ? 'profile_id' : null),
    sorted_by: (isLed ? null : written.sorted_by) ?? (isOfFigure ? led.name : null),
    total:
      written.total === undefined && dimensions.length === 1 ? last.total : (written.total ?? null),
    chart: chartOf(grouped),
    columns: withPrimary(own.columns, [
      ...dimensions.map(({ name }) => name),
      ...(shownBy(grouped).includes(led.name) ? [led.name] : []),
    ]),
    grain: isOfTime ? (last.name as SectionDefinition['grain']) : null,
  };
}

/** A section with rows of its own: the 13 months up to that of the period, or the pairs of a heat map over 12 months. */
function overYearSection(grouped: Grouped): SectionDefinition {
  const { title, description, words, ...section } = groupedSection({
    ...grouped,
    isOverYear: false,
  });
  const isOfTime = grouped.written.by === 'time';
  const shown = overYearColumns(grouped);
  return {
    ...section,
    name: nameOf(grouped),
    title: isOfTime ? '13 months' : '{title:phrase}, 12 months',
    description: isOfTime
      ? '{figure:phrase} by month of publication, over 13 months.'
      : description,
    words: { ...words, title },
    grain: 'over year',
    key: isOfTime ? ['month'] : section.key,
    chart: isOfTime ? monthsChart(grouped) : chartOf(grouped),
    total: null,
    sorted_by: null,
    notes: [],
    columns: Object.fromEntries(
      Object.entries(section.columns).filter(([column]) => shown.has(column)),
    ),
  };
}

function monthsChart({ led }: Grouped): ChartDefinition {
  const drawn = { x: 'month', y: led.name, previous: null, not_final: led.young };
  const marks = { marked: 'is_period', within: 'within', part: 'is_part' };
  return { kind: 'bars', ...drawn, target: led.target, ...marks, rows: null };
}

/** The columns of a section over 12 or 13 months, with the SQL of each. */
export function overYearColumns({
  written,
  dimensions,
  led,
}: Grouped): ReadonlyMap<string, string> {
  const { young, target } = led;
  if (written.by === 'time')
    return new Map([
      ['month', 'month'],
      ['is_period', 'is_period'],
      ['part', 'part'],
      ['is_part', 'is_part'],
      [postsOf(led), 'posts'],
      [led.name, isWhole(led) ? 'value::hugeint' : 'value'],
      ['within', isWhole(led) ? 'within::hugeint' : 'within'],
      ...(young === null ? [] : [[young, 'young'] as const]),
      ...(target === null ? [] : [[target, 'target'] as const]),
      ['is_read', 'is_read'],
    ]);
  const [first, second] = dimensions;
  return new Map([
    ...(first ? [[first.name, typedName('part_of', first)] as const] : []),
    ...(second ? [[second.name, typedName('name', second)] as const] : []),
    ...(led.counted === postsOf(led) ? [] : [[postsOf(led), 'posts'] as const]),
    [led.name, 'value'],
    [led.counted, 'counted'],
  ]);
}

/** Tells whether sums of the figure, which are doubles, are whole numbers. */
function isWhole({ name }: ShownFigure): boolean {
  return ['impressions', 'interactions', 'views'].includes(name);
}

/** The groups and their figure stay on narrow screens. */
function withPrimary(
  columns: WrittenSection['columns'],
  names: readonly string[],
): WrittenSection['columns'] {
  const named = new Map(Object.entries(columns));
  for (const name of names) named.set(name, { primary: true, ...named.get(name) });
  return Object.fromEntries(named);
}

export function mergedColumns(
  own: SectionDefinition['columns'],
  others: SectionDefinition['columns'],
): SectionDefinition['columns'] {
  const names = [...new Set([...Object.keys(own), ...Object.keys(others)])];
  return Object.fromEntries(names.map((name) => [name, { ...own[name], ...others[name] }]));
}

export function nameOf({ isOverYear, ...grouped }: Omit<Grouped, 'led'>): string {
  const { written, dimensions } = grouped;
  if (isOverYear && written.by === 'time') return 'thirteen_months';
  if (isOverYear) return `${nameOf({ ...grouped, isOverYear: false })}_over_year`;
  if (written.by !== 'time' && written.name !== undefined) return written.name;
  return `by_${dimensions.map(({ name }) => name).join('_')}`;
}

/** How a section by two dimensions is headed. */
export const headsOfTwo = {
  title: '{first:phrase} and {second:phrase}',
  description: '{figure:phrase} by {first_word:phrase} and {second:phrase}.',
} as const;

function titleOf(dimensions: readonly Dimension[]): string {
  return dimensions.length > 1 ? headsOfTwo.title : lastOf(dimensions).title;
}

function descriptionOf(dimensions: readonly Dimension[]): string {
  return dimensions.length > 1 ? headsOfTwo.description : lastOf(dimensions).description;
}

/** What a title and a description of two dimensions name, each in the language of the report. */
function wordsOf(dimensions: readonly Dimension[]): SectionDefinition['words'] {
  const [first, second] = dimensions;
  if (!first || !second) return {};
  return { first: first.title, first_word: first.word, second: second.word };
}

export function lastOf(dimensions: readonly Dimension[]): Dimension {
  const last = dimensions.at(-1);
  if (last === undefined) throw new RangeError('a section by no dimension');
  return last;
}

function keyOf({ name }: Dimension): string[] {
  return name === 'profile' ? ['workspace', 'profile_id'] : [name];
}

/** The columns of a section beside those of its groups, each where it applies, with those that its chart draws. */
export function shownBy({ file, written, dimensions, figure, led }: Grouped): string[] {
  const isOfTime = dimensions.length === 1 && lastOf(dimensions).sort === 'time';
  const usual = file.shows.length > 0 ? file.shows : [postsOf(figure), figure.name];
  const drawn = typeof written.chart === 'string' ? drawnBy(written.chart, figure) : [];
  const leading = led === figure ? [] : [led.name];
  const wanted = new Set([...(written.shows ?? usual), ...written.adds, ...drawn, ...leading]);
  return [...wanted].filter((column) => {
    if (column === 'profile_id') return isOfProfile(dimensions);
    return isOfTime ? column !== 'trend' : !isOfTimeAlone(column);
  });
}

function drawnBy(chart: MadeChart, { name, counted }: ShownFigure): string[] {
  if (chart === 'quartiles') return [name, ...Object.values(quartiles)];
  return chart === 'heatmap' ? [name, counted] : [name];
}

/** The columns of the quartiles of posts' engagement rates. */
const quartiles = { low: 'rate_p25', middle: 'rate_p50', high: 'rate_p75' } as const;

export function isOfProfile(dimensions: readonly Dimension[]): boolean {
  return dimensions.some(({ name }) => name === 'profile');
}

/** Targets are those of a month or a quarter, and what is not final is drawn in its time. */
function isOfTimeAlone(column: string): boolean {
  return /^young_|^not_final$|_target$/.test(column);
}

export function chartOf(grouped: Grouped): ChartDefinition | null {
  const { written, dimensions, figure, led } = grouped;
  const { chart } = written;
  if (chart !== null && typeof chart === 'object') return chart;
  // quartiles are of the figure that the section is written for
  if (led !== figure && chart === 'quartiles') return null;
  const last = lastOf(dimensions);
  const kind =
    chart === undefined && last.sort === 'time' && dimensions.length === 1 ? 'bars' : chart;
  const shown = shownBy(grouped);
  const ifShown = (column: string | null) => (column && shown.includes(column) ? column : null);
  const drawn = { x: last.name, y: led.name, previous: ifShown(led.previous), rows: null };
  const part = last.sort === 'time' && dimensions.length === 1 ? 'is_part' : null;
  switch (kind) {
    case 'bars':
      return {
        kind,
        ...drawn,
        not_final: ifShown(led.young),
        target: ifShown(led.target),
        marked: null,
        within: null,
        part,
      };
    case 'lines':
      return { kind, ...drawn, series: null, n: null, steps: false, part };
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

export function postsOf({ scope }: ShownFigure): string {
  return scope === 'videos' ? 'videos' : 'posts';
}

export function typedName(column: string, { type }: Dimension): string {
  return type === null ? column : `nullif(${column}, '')::${type}`;
}
