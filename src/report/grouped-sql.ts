import { quoteText } from '../warehouse/sql-text.ts';
import type { Dimension } from './definition-schema.ts';
import {
  type Grouped,
  type ShownFigure,
  isOfProfile,
  lastOf,
  nameOf,
  postsOf,
  shownBy,
  typedName,
} from './grouped-section.ts';
import { overYearOf } from './over-year.ts';

/** What the SQL of sections `by` a dimension reads of a session, with what that reads. */
export const readByGroups = ['basis_by_section', 'coverage_of', 'judged_of', 'sums_by'];

/** The SQL of the sections, and the tables that they read. */
export function sqlOf(groups: readonly Grouped[], main: ShownFigure): Map<string, string> {
  const own = groups[0]?.file.groups ?? null;
  if (own !== null) return ownSqlOf(groups, own);
  const ofOne = groups.filter(({ dimensions }) => dimensions.length === 1);
  const wanted = ["'all'", ...groups.map(wantedBy)];
  const shared = [
    `create or replace temp table report_sums as from sums_by('${main.scope}', ${listOf(wanted)});`,
    `create or replace temp table report_groups as from groups_of('report_sums', '${main.name}');`,
    `create or replace temp table ${compared} as from compared_pairs(${pairsOf(ofOne)});`,
    ...new Set(ofOne.map(({ figure }) => comparedTable(figure))),
  ];
  const drawn = groups.flatMap((one) => overYearOf(one) ?? []);
  const drawnBases = drawn.flatMap(({ data, basis }) =>
    basis === null ? [] : [[data.name, basis] as const],
  );
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
      [`from basis_by_section(${sectionsOf(groups)})`, ...basesOf(drawnBases)].join(
        '\nunion all\n',
      ),
    ],
    ...(ofOne.length === 0 ? [] : sentencesOf(ofOne)),
    ...groups.map((one) => [`${nameOf(one)}.sql`, rowsOf(one)] as const),
    ...drawn.map(({ data, sql }) => [`${data.name}.sql`, sql] as const),
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
      `{'section': ${quoteText(nameOf(one))}, 'dimension': '${lastOf(one.dimensions).name}', 'figure': '${one.figure.name}'}`,
  );
  return `[${sections.join(', ')}]::struct(section varchar, dimension varchar, figure varchar)[]`;
}

function pairsOf(groups: readonly Grouped[]): string {
  const pairs = groups.map(
    (one) => `{'dimension': ${wantedBy(one)}, 'figure': '${one.figure.name}'}`,
  );
  return `[${pairs.join(', ')}]::struct(dimension varchar, figure varchar)[]`;
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
  const over = byFigure('over_by_section', groups.filter(isJudged));
  return [
    ['_findings.made.sql', findings.join(together)],
    ['_notes.made.sql', `${[notes, ...over].join(together)}\norder by position`],
  ];
}

const together = '\nunion all by name\n';

/** What a macro says of sections, from the groups beside others by each of their figures. */
function byFigure(macro: string, groups: readonly Grouped[]): string[] {
  return [...new Set(groups.map(({ figure }) => figure))].map((figure) => {
    const own = groups.filter((one) => one.figure === figure);
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

function comparedTable(figure: ShownFigure): string {
  return `create or replace temp table ${comparedBy(figure)} as from ${compared} where figure = '${figure.name}';`;
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
