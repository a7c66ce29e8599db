import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import type { Document, YAMLError } from 'yaml';

/** Keys of mappings and indexes of lists, from the top of the text. */
export type YamlPath = readonly (string | number)[];

interface YamlProblem {
  readonly path: YamlPath;
  /** A line number from 1; null if the path is not in the text. */
  readonly line: number | null;
  readonly message: string;
}

/** The values of a YAML text, with their lines. */
export interface YamlSource {
  /** The value, with aliases and merge keys (`<<`) resolved; null if there are problems. */
  readonly value: unknown;
  /** Syntax errors and repeated keys. */
  readonly problems: readonly YamlProblem[];
  /** Returns the line of the path, or of its nearest ancestor in the text. */
  lineOf(path: YamlPath): number | null;
}

/** Parses YAML 1.2 with the core schema, whatever version the text declares, so that `no` and `2025-01-01` are text. */
export function parseYaml(given: string): YamlSource {
  const text = given.replace(/^\uFEFF/, '');
  const counter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: counter,
    prettyErrors: false,
    stringKeys: true,
    merge: true,
    version: '1.2',
    schema: 'core',
  });
  const lineAt = (offset: number) => counter.linePos(offset).line;
  const problems = [...syntaxProblems(document, text, lineAt), ...aliasProblems(document, lineAt)];
  const lineOf = (path: YamlPath) => {
    const offset = offsetOf(document, path);
    return offset === null ? null : lineAt(offset);
  };
  if (problems.length > 0) return { value: null, problems, lineOf };
  return { ...plainValue(document), lineOf };
}

/** The maximum number of aliases; nested aliases can expand to more than fits into memory. */
const maxAliasCount = 10_000;

function plainValue(document: Document): Pick<YamlSource, 'value' | 'problems'> {
  try {
    const value: unknown = document.toJS({ maxAliasCount });
    // This throws for an alias that contains itself.
    JSON.stringify(value);
    return { value, problems: [] };
  } catch (error) {
    const reason =
      error instanceof ReferenceError ? 'too many aliases' : 'an invalid alias or merge';
    const message = `not valid YAML: ${reason}; does an alias contain itself?`;
    return { value: null, problems: [{ path: [], line: null, message }] };
  }
}

function syntaxProblems(
  document: Document,
  text: string,
  lineAt: (offset: number) => number,
): YamlProblem[] {
  const lines = text.split(/\r?\n/);
  const byLine = new Map<number, YamlProblem>();
  for (const error of [...document.errors, ...document.warnings]) {
    const line = lineAt(error.pos[0]);
    // After a syntax error, every further token is reported as unexpected.
    const isSequel = byLine.size > 0 && error.message.includes('token in YAML stream');
    if (isSequel || byLine.has(line)) continue;
    const message = `not valid YAML: ${syntaxMessage(error, text, lines[line - 1] ?? '')}`;
    byLine.set(line, { path: [], line, message });
  }
  return [...byLine.values()];
}

/** Drops the part of a message after a colon, which may quote the file's text and so a secret. */
function syntaxMessage({ code, message, pos }: YAMLError, text: string, line: string): string {
  const start = line.search(/[{[,]/);
  if (start >= 0 && line.includes('${', start + 1)) {
    return 'put ${…} in quotes where it is between { } or [ ]';
  }
  if (code === 'MULTIPLE_DOCS')
    return 'a second document begins here (---); a file holds one config';
  if (code === 'DUPLICATE_KEY')
    return `the key ${/[^\s:]*/.exec(text.slice(pos[0]))?.[0] ?? ''} is repeated`;
  return message.replace(/: .*/s, '');
}

function aliasProblems(document: Document, lineAt: (offset: number) => number): YamlProblem[] {
  const problems: YamlProblem[] = [];
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document)) return;
      const line = lineAt(alias.range?.[0] ?? 0);
      const message = 'not valid YAML: an alias (*) without an anchor (&) before it';
      problems.push({ path: [], line, message });
    },
  });
  return problems;
}

function offsetOf(document: Document, path: YamlPath): number | null {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? null) : null;
  for (const segment of path) {
    if (isAlias(node)) node = node.resolve(document);
    let found: unknown;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === segment);
      found = pair?.key;
      node = pair?.value;
    } else if (isSeq(node)) {
      found = node.items[Number(segment)];
      node = found;
    }
    if (!isNode(found)) break;
    offset = found.range?.[0] ?? offset;
  }
  return offset;
}
