import type { QueryColumn } from '../../warehouse/database.ts';
import { sqlParts } from '../../warehouse/sql-text.ts';
import { QueryError } from '../../warehouse/warehouse-errors.ts';
import type { ReportFault } from '../report-errors.ts';
import { queryFault } from '../section-query.ts';
import { resolveSetValues } from '../set-values.ts';
import { sqlFault, type Checking } from './checking.ts';

const viewsFile = '_views.sql';

interface Described {
  readonly columns: Map<string, readonly QueryColumn[]>;
  readonly faults: ReportFault[];
}

type Asked = Pick<Checking, 'definition' | 'session'>;

/** Has the warehouse plan each SQL file of a report, with the report's parameters at their defaults. */
export async function describeQueries(checking: Asked): Promise<Described> {
  const { definition, session } = checking;
  const views = await viewFaults(checking);
  const described: Described = { columns: new Map(), faults: views };
  const own = views.length === 0 ? [] : viewsOf(checking).map(({ name }) => name);
  const params = resolveSetValues(definition, {});
  for (const [file, sql] of definition.sql) {
    if (file === viewsFile) continue;
    const unknown = unknownParameters(checking, file);
    described.faults.push(...unknown);
    if (unknown.length > 0) continue;
    try {
      described.columns.set(file, await session.database.describe(sql, params));
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      // that of the view was told already
      if (own.some((view) => error.message.includes(`Table with name ${view} does not exist`)))
        continue;
      described.faults.push(queryFault({ definition, file }, error));
    }
  }
  return described;
}

async function viewFaults(checking: Asked): Promise<ReportFault[]> {
  const { definition, session } = checking;
  const sql = definition.sql.get(viewsFile);
  if (sql === undefined) return [];
  const bound = namedParameters(sql).map(({ name, offset }) =>
    sqlFault(checking, viewsFile, offset, `$${name}: a view can have no parameters`),
  );
  const taken = await takenNames(checking);
  const replaced = viewsOf(checking).filter(({ name }) => taken.has(name.toLowerCase()));
  const faults = replaced.map(({ name, offset }) =>
    sqlFault(checking, viewsFile, offset, `${name} is what every report reads; name it otherwise`),
  );
  if (bound.length + faults.length > 0) return [...bound, ...faults];
  try {
    await session.database.define(sql);
    return [];
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return [queryFault({ definition, file: viewsFile }, error)];
  }
}

/** What the session has made for all reports, in lower case. */
async function takenNames({ session }: Asked): Promise<ReadonlySet<string>> {
  const { rows } = await session.database.query(
    `select view_name from duckdb_views() where temporary
     union all
     select table_name from duckdb_tables() where temporary`,
  );
  return new Set(rows.map(([name]) => String(name).toLowerCase()));
}

/** Views that a report makes, with where their names stand. */
function viewsOf({ definition }: Asked): { name: string; offset: number }[] {
  const sql = definition.sql.get(viewsFile) ?? '';
  return matches(sql, /\b(?:view|table)\s+(?:if\s+not\s+exists\s+)?(?<name>\w+)\s+as\b/dgi);
}

function unknownParameters(checking: Asked, file: string): ReportFault[] {
  const known = Object.keys(checking.definition.parameters);
  const has = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
  return namedParameters(checking.definition.sql.get(file) ?? '')
    .filter(({ name }) => !known.includes(name))
    .map(({ name, offset }) =>
      sqlFault(checking, file, offset, `$${name} is no parameter of report.yaml; ${has}`),
    );
}

/** The parameters that a file's SQL takes, with the offsets of their `$`. */
export function namedParameters(sql: string): { name: string; offset: number }[] {
  return matches(sql, /(?<!\w)\$(?<name>\w+)/dg).map(({ name, offset }) => {
    return { name, offset: offset - 1 };
  });
}

/** What `pattern`, which tells places, calls `name` outside of comments and literals. */
function matches(sql: string, pattern: RegExp): { name: string; offset: number }[] {
  return sqlParts(sql)
    .filter(({ kind }) => kind === 'code')
    .flatMap(({ start, text }) =>
      [...text.matchAll(pattern)].map((match) => ({
        name: match.groups?.['name'] ?? '',
        offset: start + (match.indices?.groups?.['name']?.[0] ?? match.index),
      })),
    );
}
