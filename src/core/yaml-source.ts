import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import type { Document, YAMLError } from 'yaml';

/** Keys and places in lists, from the top. */
export type YamlPath = readonly (string | number)[];

interface YamlProblem {
  readonly path: YamlPath;
  /** Counts from 1; null when the place is nowhere in the text. */
  readonly line: number | null;
  readonly message: string;
}

/** A YAML text as plain values that remember their lines. */
export interface YamlSource {
  /** Aliases and merge keys (`<<`) are resolved. Null when there are problems. */
  readonly value: unknown;
  /** Syntax errors and repeated keys. */
  readonly problems: readonly YamlProblem[];
  /** The line of the place, or of the nearest one above it that is in the file. */
  lineOf(path: YamlPath): number | null;
}

/** YAML 1.2 core, whatever version the text claims: `no` and `2025-01-01` are text. */
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

/** Up to this many aliases in all, as aliases of aliases can stand for more than memory holds. */
const maxAliasCount = 10_000;

function plainValue(document: Document): Pick<YamlSource, 'value' | 'problems'> {
  try {
    const value: unknown = document.toJS({ maxAliasCount });
    // throws for an alias that contains itself
    JSON.stringify(value);
    return { value, problems: [] };
  } catch (error) {
    const reason = error instanceof ReferenceError ? 'too many aliases' : 'a wrong alias or merge';
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
    // Where the text stops making sense, every token of the rest is unexpected.
    const isSequel = byLine.size > 0 && error.message.includes('token in YAML stream');
    if (isSequel || byLine.has(line)) continue;
    const message = `not valid YAML: ${syntaxMessage(error, text, lines[line - 1] ?? '')}`;
    byLine.set(line, { path: [], line, message });
  }
  return [...byLine.values()];
}

/** What the library says after a colon can be the file's text, and that can be a secret. */
function syntaxMessage({ code, message, pos }: YAMLError, text: string, line: string): string {
  const start = line.search(/[{[,]/);
  if (start >= 0 && line.includes('${', start + 1)) {
    return 'put ${…} into quotes where it stands between { } or [ ]';
  }
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here (---); a file is one config';
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
      const message = 'not valid YAML: an alias (*) whose anchor (&) is not set before it';
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
    let place: unknown;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === segment);
      place = pair?.key;
      node = pair?.value;
    } else if (isSeq(node)) {
      place = node.items[Number(segment)];
      node = place;
    }
    if (!isNode(place)) break;
    offset = place.range?.[0] ?? offset;
  }
  return offset;
}
