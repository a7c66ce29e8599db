import { join } from 'node:path';
import { z } from 'zod';
import { type YamlPath, type YamlSource, parseYaml } from '../core/yaml-source.ts';
import {
  type DefinitionFile,
  type SharedFile,
  definitionSchema,
  sharedSchema,
} from './definition-schema.ts';
import { ReportDefinitionError, type ReportFault } from './report-errors.ts';

/**
 * Parses the text of a report.yaml.
 * @param path the file's path, as errors name it
 * @throws ReportDefinitionError with every fault, each with its file and line
 */
export function parseDefinition(text: string, path: string): DefinitionFile {
  return parseBy(definitionSchema, text, path);
}

/**
 * Parses a file of a report's languages/ folder: phrases with their translations.
 * @throws ReportDefinitionError likewise
 */
export function parsePhrases(text: string, path: string): Record<string, string> {
  return parseBy(z.record(z.string(), z.string()), text, path);
}

function parseBy<Said>(schema: z.ZodType<Said>, text: string, path: string): Said {
  const source = parseYaml(text);
  const result = schema.safeParse(source.value);
  if (result.success) return result.data;
  const faults =
    source.problems.length > 0
      ? source.problems
      : result.error.issues.flatMap(singleIssues).map((issue) => faultOf(issue, source));
  throw new ReportDefinitionError(
    faults.map(({ line, message }) => ({ path, line, column: null, message })),
  );
}

/** Returns the issues of a value that fits none of several kinds, by the kind that it is most like. */
function singleIssues(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const likely = issue.errors.find((issues) =>
    issues.every(({ code, path }) => code !== 'invalid_type' || path.length > 0),
  );
  if (likely === undefined) return [issue];
  return likely.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function faultOf(issue: z.core.$ZodIssue, source: YamlSource) {
  const path = issue.path as YamlPath;
  const extra = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const remedy = extra.some((key) => /\s/.test(key))
    ? '; a text that holds a comma needs quotes between { and }'
    : '';
  const prefix = path.length === 0 ? '' : `${path.join('.')}: `;
  return {
    line: source.lineOf([...path, ...extra.slice(0, 1)]),
    message: `${prefix}${issue.message}${remedy}`,
  };
}

/** A mistake at a key of report.yaml. */
export interface YamlProblem {
  readonly keyPath: YamlPath;
  readonly message: string;
}

/** Returns mistakes of a report.yaml, each with its line. */
export function yamlFaults(
  { folder, yaml }: { readonly folder: string; readonly yaml: string },
  problems: readonly YamlProblem[],
): ReportFault[] {
  if (problems.length === 0) return [];
  const source = parseYaml(yaml);
  return problems.map(({ keyPath, message }) => ({
    path: join(folder, 'report.yaml'),
    line: source.lineOf(keyPath),
    column: null,
    message: `${keyPath.join('.')}: ${message}`,
  }));
}

/** Parses the text of reports/shared.yaml, which comes with the program. */
export function parseShared(text: string): SharedFile {
  return sharedSchema.parse(parseYaml(text).value);
}
