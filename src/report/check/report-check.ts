import type { ColumnFormat } from '../../core/number-format.ts';
import { defaultFormat } from '../column-kind.ts';
import type { ReportDefinition } from '../report-catalog.ts';
import type { ReportFault } from '../report-errors.ts';
import type { ReportSession } from '../report-session.ts';
import { titleOf } from '../section-table.ts';
import { YamlPlaces } from '../yaml-places.ts';
import { cardFaults } from './card-check.ts';
import type { Checking } from './checking.ts';
import { definitionFaults } from './definition-check.ts';
import { describeQueries } from './query-check.ts';
import { sectionFaults } from './section-check.ts';
import { hasSentences, sentenceFaults } from './sentence-check.ts';

interface CheckedColumn {
  readonly name: string;
  /** As DuckDB writes it, for example `DECIMAL(38,3)`. */
  readonly type: string;
  readonly format: ColumnFormat;
  readonly title: string;
}

interface CheckedSection {
  readonly name: string;
  /** In the SQL's order; none where the database refuses it. */
  readonly columns: readonly CheckedColumn[];
}

/** A report held against the warehouse. */
export interface CheckedReport {
  readonly name: string;
  /** How many SQL files it has. */
  readonly queries: number;
  readonly sections: readonly CheckedSection[];
  /** All that were found, in the order of files and places. */
  readonly faults: readonly ReportFault[];
}

/**
 * Holds a report against a warehouse: each of its SQL files is planned there, with parameters at their
 * defaults, and what report.yaml and the sentences name is looked for in what it would give. Cards alone are
 * made, all else is not run.
 * @param session of this report alone: its views stay there
 */
export async function checkReport(
  session: ReportSession,
  definition: ReportDefinition,
): Promise<CheckedReport> {
  const places = new YamlPlaces(definition.yaml);
  const { columns, faults } = await describeQueries({ definition, session });
  const checking: Checking = { definition, session, places, columns };
  const sentences = [...definition.sql.keys()].filter(hasSentences);
  const found = [
    ...faults,
    ...definitionFaults(checking),
    ...definition.sections.flatMap((_, index) => sectionFaults(checking, index)),
    ...sentences.flatMap((file) => sentenceFaults(checking, file)),
    ...(await cardFaults(checking)),
  ];
  return {
    name: definition.name,
    queries: definition.sql.size,
    sections: definition.sections.map(({ name }) => sectionOf(checking, name)),
    faults: found.sort(byPlace),
  };
}

function sectionOf({ definition, columns }: Checking, name: string): CheckedSection {
  const own = definition.sections.find((section) => section.name === name)?.columns ?? {};
  const given = columns.get(`${name}.sql`) ?? [];
  return {
    name,
    columns: given.map(({ name: column, type }) => {
      const declared = { ...definition.columns[column], ...own[column] };
      const { format = defaultFormat(type), title = titleOf(column) } = declared;
      return { name: column, type, format, title };
    }),
  };
}

function byPlace(a: ReportFault, b: ReportFault): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
