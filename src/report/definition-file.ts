import {
  type Alias,
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parse,
  parseDocument,
  visit,
} from 'yaml';
import type { z } from 'zod';
import { isDeeperThan } from '../core/yaml-depth.ts';
import {
  type DefinitionFile,
  type SharedFile,
  definitionSchema,
  sharedSchema,
} from './definition-schema.ts';
import { ReportDefinitionError, type ReportFault } from './report-errors.ts';

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
  const result = definitionSchema.safeParse(places.value);
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

interface YamlProblem {
  readonly line: number;
  readonly message: string;
}

/** Far beyond any report. */
const maxDepth = 100;

const tooDeep = { line: 1, message: `is nested more than ${maxDepth} deep; is a bracket open?` };

/** A YAML text that remembers the line of each of its values. */
export class YamlPlaces {
  readonly #lines = new LineCounter();
  readonly #document: Document;
  /** What cannot be read as YAML. */
  readonly errors: readonly YamlProblem[];
  /** Plain values; undefined where there are errors. */
  readonly value: unknown;

  constructor(text: string) {
    const isTooDeep = isDeeperThan(text, maxDepth);
    const options = { lineCounter: this.#lines, uniqueKeys: true, strict: true };
    this.#document = parseDocument(isTooDeep ? '' : text, options);
    const { errors, value } = isTooDeep
      ? { errors: [tooDeep] }
      : readDocument(this.#document, this.#lines);
    this.errors = errors;
    this.value = value;
  }

  /** The line, from 1, of the value at `path`, or of the nearest thing around it that is there. */
  lineOf(path: readonly PropertyKey[]): number {
    return this.#lines.linePos(this.#offsetOf(path)).line;
  }

  /** The line of a key of the mapping at `path`. */
  lineOfKey(path: readonly PropertyKey[], key: string): number {
    const map = path.length === 0 ? this.#document.contents : this.#document.getIn(path, true);
    const found = isMap(map)
      ? map.items.find((item) => isScalar(item.key) && item.key.value === key)
      : undefined;
    const range = isNode(found?.key) ? found.key.range : null;
    return range ? this.#lines.linePos(range[0]).line : this.lineOf(path);
  }

  #offsetOf(path: readonly PropertyKey[]): number {
    for (let length = path.length; length >= 0; length -= 1) {
      const node =
        length === 0 ? this.#document.contents : this.#document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return node.range[0];
    }
    return 0;
  }
}

function readDocument(
  document: Document,
  lines: LineCounter,
): { errors: YamlProblem[]; value?: unknown } {
  const errors = document.errors.map(({ message, linePos }) => ({
    line: linePos?.[0].line ?? 1,
    message: message.split('\n')[0] ?? message,
  }));
  if (errors.length > 0) return { errors };
  try {
    return { errors, value: document.toJS() };
  } catch (error) {
    // an alias without its anchor, or that stands for far more than the file holds
    if (!(error instanceof ReferenceError)) throw error;
    return { errors: [{ line: lineOfAlias(document, lines), message: error.message }] };
  }
}

/** Of the first alias without its anchor, or of the first one. */
function lineOfAlias(document: Document, lines: LineCounter): number {
  const aliases: Alias[] = [];
  visit(document, { Alias: (_, alias) => void aliases.push(alias) });
  const found = aliases.find((alias) => alias.resolve(document) === undefined) ?? aliases[0];
  return lines.linePos(found?.range?.[0] ?? 0).line;
}

/** Reads the text of reports/shared.yaml, which is the program's own. */
export function parseShared(text: string): SharedFile {
  return sharedSchema.parse(parse(text));
}
