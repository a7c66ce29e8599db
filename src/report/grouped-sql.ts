import { quoteText } from '../warehouse/sql-text.ts';
import type { Dimension } from './definition-schema.ts';
import {
  type Grouped,
  type ShownFigure,
  isOfProfile,
  lastOf,
  nameOf,
  overYearColumns,
  postsOf,
  shownBy,
  typedName,
} from './grouped-section.ts';

/** What the SQL of sections `by` a dimension reads of a session, with what that reads. */
export const readByGroups = ['basis_by_section', 'coverage_of', 'judged_of', 'sums_by'];

/** The SQL of the sections, and the tables that they read. */
export function sqlOf(written: readonly Grouped[], main: ShownFigure): Map<string, string> {
  const own = written[0]?.file.groups ?? null;
  if (own !== null) return ownSqlOf(written, own);
  const groups = written.filter(({ isOverYear }) => !isOverYear);
  const overYear = written.filter(({ isOverYear }) => isOverYear);
  const ofOne = groups.filter(({ dimensions }) => dimensions.length === 1);
  const wanted = ["'all'", ...groups.map(wantedBy)];
  const shared = [
    `create or replace temp table report_sums as from sums_by('${main.scope}', ${listOf(wanted)});`,
    `create or replace temp table report_groups as from groups_of('report_sums', '${main.name}');`,
    `create or replace temp table ${compared} as from compared_pairs(${pairsOf(ofOne)});`,
    ...comparedFigures(ofOne).map(comparedTable),
  ];
  const pairs = overYear.filter(({ written: { by } }) => by !== 'time');
  return new Map([
    ['_groups.sql', shared.join('\n')],
    [
      '_total.sql',
      "select * exclude (part_of, workspace, profile_id, name, kind) from report_groups where dimension = 'all'",
    ],
    ['_facts.sql', `from summary_of('report_sums', '${main.scope}') cross join report_settings`],
    ['_coverage.sql', `from coverage_of('${main.scope}', '${main.name}') order by position`],
    [
      '_basis.made.sql',
      [
        `from basis_by_section(${sectionsOf(groups)})`,
        ...basesOf(pairs.map((one) => [nameOf(one), pairsBasis(one)])),
      ].join('\nunion all\n'),
    ],
    ...(ofOne.length === 0 ? [] : sentencesOf(ofOne)),
    ...groups.map((one) => [`${nameOf(one)}.sql`, rowsOf(one)] as const),
    ...overYear.map((one) => [`${nameOf(one)}.sql`, overYearRows(one)] as const),
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
    ['_basis.made.sql', basesOf(bases).join('\nunion all\n')],
    ...groups.map((one) => [`${nameOf(one)}.sql`, rowsOf(one)] as const),
  ]);
}

function sectionsOf(groups: readonly Grouped[]): string {
  const sections = groups.map(
    (one) =>
      `{'section': ${quoteText(nameOf(one))}, 'dimension': '${lastOf(one.dimensions).name}', 'figure': '${one.led.name}', 'scope': '${one.led.scope}'}`,
  );
  return `[${sections.join(', ')}]::struct(section varchar, dimension varchar, figure varchar, scope varchar)[]`;
}

function pairsOf(groups: readonly Grouped[]): string {
  const pairs = groups.flatMap((one) =>
    comparedFigures([one]).map(
      ({ name, scope }) =>
        `{'dimension': ${wantedBy(one)}, 'figure': '${name}', 'scope': '${scope}'}`,
    ),
  );
  return `[${pairs.join(', ')}]::struct(dimension varchar, figure varchar, scope varchar)[]`;
}

function basesOf(bases: readonly (readonly [section: string, basis: string])[]): string[] {
  return bases.map(
    ([section, basis]) => `select ${quoteText(section)} as section, * from (${basis})`,
  );
}

/** The SQL of what sections by one dimension say beside their rows. */
function sentencesOf(groups: readonly Grouped[]): (readonly [file: string, sql: string])[] {
  const findings = byFigure('finding_by_section', groups);
  const notes = `from notes_by_section(${sectionsOf(groups)})`;
  return [
    ['_findings.made.sql', findings.join(together)],
    ['_notes.made.sql', `${notes}\norder by position`],
  ];
}

const together = '\nunion all by name\n';

/** What a macro says of sections, from the groups beside others by each of their figures. */
function byFigure(macro: string, groups: readonly Grouped[]): string[] {
  return [...new Set(groups.map(({ led }) => led))].map((figure) => {
    const own = groups.filter(({ led }) => led === figure);
    return `from ${macro}('${comparedBy(figure)}', ${sectionsOf(own)})`;
  });
}

function dimensionOf(dimensions: readonly Dimension[]): string {
  return dimensions.map(({ name }) => name).join(' ');
}

/** Weeks and quarters are made only where they fit the period. */
function wantedBy({ written, dimensions }: Grouped): string {
  const name = dimensionOf(dimensions);
  return written.by === 'time' && name !== 'month'
    ? "getvariable('_fitting_grain')"
    : quoteText(name);
}

function listOf(names: readonly string[]): string {
  return `[${[...new Set(names)].join(', ')}]`;
}

/** The table of groups beside others by all figures; each figure has one of its own, which other files read. */
const compared = 'report_compared';

function comparedBy({ name }: ShownFigure): string {
  return `${compared}_by_${name}`;
}

/** The figures by which sections compare their groups: those that they are written for, and those that they lead with. */
function comparedFigures(groups: readonly Grouped[]): ShownFigure[] {
  return [...new Set(groups.flatMap(({ figure, led }) => [figure, led]))];
}

function comparedTable(figure: ShownFigure): string {
  return `create or replace temp table ${comparedBy(figure)} as from ${compared} where figure = '${figure.name}';`;
}

function rowsOf(grouped: Grouped): string {
  const { file, written, dimensions, figure, led } = grouped;
  const [first, second] = dimensions;
  const shown = shownBy(grouped);
  const posts = postsOf(figure);
  if (first?.sort === 'time' && second === undefined)
    return `select ${[`start as ${first.name}`, 'part', 'is_part', ...shown].join(', ')}
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
    ...[led === figure ? sorted : null, led.name].flatMap((by) =>
      by ? [`${by} desc nulls last`] : [],
    ),
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

/** The rows of a section about the 12 or 13 months up to the end of the period. */
function overYearRows(grouped: Grouped): string {
  const { written, led } = grouped;
  const columns = [...overYearColumns(grouped)].map(([name, sql]) =>
    name === sql ? name : `${sql} as ${name}`,
  );
  const [source, order] =
    written.by === 'time'
      ? [`thirteen_months_of('${led.scope}', '${led.name}')`, 'month']
      : [pairsOverYear(grouped), 'all'];
  return `select ${columns.join(', ')}\nfrom ${source}\norder by ${order}`;
}

function pairsOverYear({ dimensions, led }: Grouped): string {
  const names = dimensions.map(({ name }) => quoteText(name));
  return `pairs_over_year('${led.scope}', ${names.join(', ')}, '${led.name}')`;
}

function pairsBasis(grouped: Grouped): string {
  return `select (select basis from report_figures where name = '${grouped.led.name}') as text, sum(counted)::bigint as n from ${pairsOverYear(grouped)}`;
}

/** Tells whether the section compares its groups with other posts. */
function isJudged(grouped: Grouped): boolean {
  return shownBy(grouped).some((column) => judgedColumns.has(column));
}

/** The columns of judged_of, which compares groups with other posts. */
const judgedColumns: ReadonlySet<string> = new Set([
  'rate_rest',
  'rate_without',
  'lift',
  'lift_factor',
  'not_compared',
  'rated_posts_without',
  'is_clear',
]);
