import type { z } from 'zod';
import { definitionSchema, type DefinitionFile } from './definition-schema.ts';
import { ReportDefinitionError, type ReportFault } from './report-errors.ts';
import { YamlPlaces } from './yaml-places.ts';

/**
 * Reads the text of a report.yaml.
 * @param path how errors name the file
 * @throws ReportDefinitionError with every fault, each with file, line and place
 */
export function parseDefinition(text: string, path: string): DefinitionFile {
  const places = new YamlPlaces(text);
  const fault = (line: number | null, message: string): ReportFault => {
    return { path, line, column: null, message };
  };
  if (places.errors.length > 0) {
    throw new ReportDefinitionError(places.errors.map(({ line, message }) => fault(line, message)));
  }
  const result = definitionSchema.safeParse(places.toJS());
  if (!result.success) {
    throw new ReportDefinitionError(
      result.error.issues.map((issue) => fault(lineOf(issue, places), sentenceOf(issue))),
    );
  }
  const repeated = repeatedSections(result.data);
  if (repeated.length === 0) return result.data;
  throw new ReportDefinitionError(
    repeated.map((name) => fault(null, `the section ${name} stands twice; name each once`)),
  );
}

function repeatedSections({ sections }: DefinitionFile): string[] {
  const names = sections.map((section) => section.name);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  const place = issue.path.map(String).join('.');
  const isCutText = issue.code === 'unrecognized_keys' && issue.keys.some((key) => /\s/.test(key));
  const remedy = isCutText ? '; a text that holds a comma needs quotes between { and }' : '';
  return `${place === '' ? '' : `${place}: `}${issue.message}${remedy}`;
}

function lineOf(issue: z.core.$ZodIssue, places: YamlPlaces): number {
  const extra = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  return extra === undefined ? places.lineOf(issue.path) : places.lineOfKey(issue.path, extra);
}
