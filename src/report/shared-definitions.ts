import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import type { z } from 'zod';
import { sqlFolder } from '../warehouse/sql-file.ts';
import {
  sharedSchema,
  type ColumnDefinition,
  type DefinitionFile,
  type TermDefinition,
} from './definition-schema.ts';
import { ReportDefinitionError } from './report-errors.ts';

const sharedFile = join(dirname(sqlFolder), 'reports', 'shared.yaml');

/** The program's own, so it is read once. */
let shared: Promise<z.infer<typeof sharedSchema>> | null = null;

/** What a report takes from reports/shared.yaml. */
interface SharedDefinitions {
  /** By name; of those that the report has, what it says itself comes first. */
  readonly sharedColumns: Readonly<Record<string, ColumnDefinition>>;
  readonly definitions: readonly TermDefinition[];
}

/**
 * The columns and terms that a report shares with others.
 * @param path how errors name the report.yaml
 * @throws ReportDefinitionError for a term that is not shared
 */
export async function readShared(file: DefinitionFile, path: string): Promise<SharedDefinitions> {
  shared ??= readFile(sharedFile, 'utf8').then((text) => sharedSchema.parse(parse(text)));
  const { columns, definitions } = await shared;
  return {
    sharedColumns: file.shared_columns ? columnsFor(file, columns) : {},
    definitions: file.definitions.map((term) => {
      if (typeof term !== 'string') return term;
      const found = definitions.find((one) => one.term === term);
      if (found) return found;
      const known = definitions.map((one) => one.term).join(', ');
      const message = `definitions: ${term} is no shared term; give it a text, or use one of ${known}`;
      throw new ReportDefinitionError([{ path, line: null, column: null, message }]);
    }),
  };
}

/** Without the calculations that need an input, where the report has none. */
function columnsFor(
  { input }: DefinitionFile,
  columns: Readonly<Record<string, ColumnDefinition>>,
): Record<string, ColumnDefinition> {
  if (input !== null) return columns;
  return Object.fromEntries(
    Object.entries(columns).map(([name, { calculation, ...column }]) => {
      const needsInput = ['priced', 'recounted', 'as_given'].includes(calculation?.kind ?? '');
      return [name, needsInput || !calculation ? column : { ...column, calculation }];
    }),
  );
}
