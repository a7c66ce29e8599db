import { join } from 'node:path';
import type { QueryColumn } from '../../warehouse/database.ts';
import type { ReportDefinition } from '../report-catalog.ts';
import type { ReportFault } from '../report-errors.ts';
import type { ReportSession } from '../report-session.ts';
import { placeAfter } from '../sql-place.ts';
import type { YamlPlaces } from '../yaml-places.ts';

/** A report under check, with what the warehouse says of its SQL. */
export interface Checking {
  readonly definition: ReportDefinition;
  readonly session: ReportSession;
  readonly places: YamlPlaces;
  /** What each SQL file gives; those that the database refuses are left out. */
  readonly columns: ReadonlyMap<string, readonly QueryColumn[]>;
}

type Folder = Pick<Checking, 'definition'>;

/** A fault of report.yaml, at the value that stands at `place`. */
export function yamlFault(
  { definition, places }: Pick<Checking, 'definition' | 'places'>,
  place: readonly PropertyKey[],
  message: string,
): ReportFault {
  const path = join(definition.folder, 'report.yaml');
  const said = `${place.map(String).join('.')}: ${message}`;
  return { path, line: places.lineOf(place), column: null, message: said };
}

/** A fault of an SQL file. @param offset in UTF-16 units; null: of the whole file */
export function sqlFault(
  { definition }: Folder,
  file: string,
  offset: number | null,
  message: string,
): ReportFault {
  const path = join(definition.folder, file);
  const before = (definition.sql.get(file) ?? '').slice(0, offset ?? 0);
  const { line, column } = offset === null ? { line: null, column: null } : placeAfter(before);
  return { path, line, column, message };
}

/** For the end of a sentence. */
export function namesOf(columns: readonly QueryColumn[]): string {
  return columns.map(({ name }) => name).join(', ');
}
