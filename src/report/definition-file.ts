import { LineCounter, isMap, isNode, isScalar, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { definitionSchema, type DefinitionFile } from './definition-schema.ts';
import { ReportDefinitionError } from './report-errors.ts';

/**
 * Reads the text of a report.yaml.
 * @param path how errors name the file
 * @throws ReportDefinitionError with every fault, each with file, line and place
 */
export function parseDefinition(text: string, path: string): DefinitionFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, strict: true });
  if (document.errors.length > 0) {
    throw new ReportDefinitionError(
      document.errors
        .map(({ message, linePos }) => `${path}:${linePos?.[0].line ?? 1}: ${firstLine(message)}`)
        .join('\n'),
    );
  }
  const result = definitionSchema.safeParse(document.toJS());
  if (result.success) return refuseRepeatedSections(result.data, path);
  const faults = result.error.issues.map(
    (issue) => `${path}:${lineOf(issue, document, lines)}: ${sentenceOf(issue)}`,
  );
  throw new ReportDefinitionError(faults.join('\n'));
}

function refuseRepeatedSections(definition: DefinitionFile, path: string): DefinitionFile {
  const names = definition.sections.map((section) => section.name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return definition;
  throw new ReportDefinitionError(`${path}: the section ${repeated} stands twice; name each once`);
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? message;
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  const place = issue.path.map(String).join('.');
  return place === '' ? issue.message : `${place}: ${issue.message}`;
}

function lineOf(issue: z.core.$ZodIssue, document: Document, lines: LineCounter): number {
  const extra = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const offset =
    extra === undefined ? offsetOf(document, issue.path) : keyOffset(document, issue.path, extra);
  return lines.linePos(offset).line;
}

/** Of the value at `path`, or of the nearest thing around it that is there. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function keyOffset(document: Document, path: readonly PropertyKey[], key: string): number {
  const map = path.length === 0 ? document.contents : document.getIn(path, true);
  if (!isMap(map)) return offsetOf(document, path);
  const found = map.items.find((item) => isScalar(item.key) && item.key.value === key);
  return isNode(found?.key) && found.key.range ? found.key.range[0] : offsetOf(document, path);
}
