import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Alias,
  type Document,
  type Node,
  type Pair,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import { isDeeperThan } from '../core/yaml-depth.ts';
import type { ConfigProblem } from './config-error.ts';
import { pathKey, type ConfigPath } from './config-path.ts';

/** A YAML text as plain values that remember their lines. */
export interface YamlSource {
  /** Mappings are objects with own keys only; aliases and merge keys (`<<`) are resolved. */
  readonly value: unknown;
  /** Syntax errors and repeated keys. With any, `value` is not to be relied on. */
  readonly problems: readonly ConfigProblem[];
  /** The line of the place, or of the nearest one above it that is in the file. */
  lineOf(path: ConfigPath): number | null;
  /** Keys of the mapping there, in the file's order (objects put numeric ones first). */
  keysAt(path: ConfigPath): readonly string[];
}

/** Far beyond any config; an alias that contains itself, or aliases of aliases, would go on for ever. */
const maxValues = 50_000;
const maxDepth = 40;
/** A mapping can be two collections deep in the text, so that no file is refused here that could be read. */
const maxTextDepth = 4 * maxDepth;

interface Reading {
  /** What each alias stands for; not those of an anchor that is not set before them. */
  readonly targets: ReadonlyMap<Alias, Node>;
  readonly counter: LineCounter;
  readonly lines: Map<string, number>;
  readonly keys: Map<string, string[]>;
  readonly problems: ConfigProblem[];
  values: number;
}

/** YAML 1.2 core, whatever version the text claims: `no` and `2025-01-01` are text. */
export function parseYaml(text: string): YamlSource {
  if (isDeeperThan(text, maxTextDepth)) return unreadable('is nested too deep; is a bracket open?');
  const counter = new LineCounter();
  const document: Document = parseDocument(text.replace(/^\uFEFF/, ''), {
    lineCounter: counter,
    prettyErrors: false,
    uniqueKeys: false,
    version: '1.2',
    schema: 'core',
  });
  const problems = syntaxProblems(document, counter, text);
  const reading: Reading = {
    targets: aliasTargets(document),
    counter,
    lines: new Map(),
    keys: new Map(),
    problems,
    values: 0,
  };
  const value = problems.length > 0 ? null : readNode(reading, document.contents, []);
  return {
    value,
    problems,
    lineOf: (path) => lineOf(reading, path),
    keysAt: (path) => reading.keys.get(pathKey(path)) ?? [],
  };
}

function unreadable(message: string): YamlSource {
  const problems = [{ path: [], line: 1, message: `not valid YAML: ${message}` }];
  return { value: null, problems, lineOf: () => null, keysAt: () => [] };
}

/** In one pass: each alias by itself would look through the whole document. */
function aliasTargets(document: Document): Map<Alias, Node> {
  const anchored = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Alias: (_, alias) => {
      const target = anchored.get(alias.source);
      if (target) targets.set(alias, target);
    },
    Value: (_, node) => {
      if (node.anchor !== undefined) anchored.set(node.anchor, node);
    },
  });
  return targets;
}

function syntaxProblems(document: Document, counter: LineCounter, text: string): ConfigProblem[] {
  const lines = text.split(/\r?\n/);
  const byLine = new Map<number, ConfigProblem>();
  for (const error of [...document.errors, ...document.warnings]) {
    const { line } = counter.linePos(error.pos[0]);
    const message = `not valid YAML: ${syntaxMessage(error, lines[line - 1] ?? '')}`;
    // Where the text stops making sense, every token of the rest is unexpected.
    const isSequel = byLine.size > 0 && error.message.includes('token in YAML stream');
    if (!isSequel && !byLine.has(line)) byLine.set(line, { path: [], line, message });
  }
  return [...byLine.values()];
}

/** What the library says after a colon can be the file's text, and that can be a secret. */
function syntaxMessage({ code, message }: YAMLError, line: string): string {
  if (hasVariableInFlow(line)) return 'put ${…} into quotes where it stands between { } or [ ]';
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here (---); a file is one config';
  return message.replace(/: .*/s, '');
}

/** By hand: a regular expression takes quadratic time on a line of brackets. */
function hasVariableInFlow(line: string): boolean {
  const start = line.search(/[{[,]/);
  return start >= 0 && line.includes('${', start + 1);
}

function lineOf(reading: Reading, path: ConfigPath): number | null {
  for (let length = path.length; length >= 0; length -= 1) {
    const line = reading.lines.get(pathKey(path.slice(0, length)));
    if (line !== undefined) return line;
  }
  return null;
}

function readNode(reading: Reading, node: unknown, path: ConfigPath): unknown {
  if (!hasRoom(reading, node, path)) return null;
  noteLine(reading, path, node);
  if (isAlias(node)) return readAlias(reading, node, path);
  if (isMap(node)) return readMap(reading, node, path);
  if (isSeq(node))
    return node.items.map((item, index) => readNode(reading, item, [...path, index]));
  return isScalar(node) ? node.value : null;
}

/** False, with one complaint, once the file turns out to hold too much. */
function hasRoom(reading: Reading, node: unknown, path: ConfigPath): boolean {
  reading.values += 1;
  if (reading.values <= maxValues && path.length <= maxDepth) return true;
  const message = 'holds too much; does an alias contain itself?';
  if (reading.values < Infinity) complain(reading, path.slice(0, 3), node, message);
  reading.values = Infinity;
  return false;
}

function readAlias(reading: Reading, alias: Alias, path: ConfigPath): unknown {
  const target = reading.targets.get(alias);
  if (!target) {
    complain(reading, path, alias, 'is an alias (*) of an anchor (&) that is not set before it');
    return null;
  }
  const value = readNode(reading, target, path);
  noteLine(reading, path, alias);
  return value;
}

function readMap(reading: Reading, map: YAMLMap, path: ConfigPath): Record<string, unknown> {
  const entries = new Map<string, unknown>();
  for (const pair of map.items) {
    if (keyText(pair) !== '<<') readPair(reading, pair, entries, path);
  }
  mergeSources(reading, map, entries, path, 0);
  reading.keys.set(pathKey(path), [...entries.keys()]);
  return Object.fromEntries(entries);
}

function readPair(
  reading: Reading,
  pair: Pair,
  entries: Map<string, unknown>,
  path: ConfigPath,
): void {
  const key = keyText(pair);
  const place = [...path, key ?? '?'];
  if (key === null || key === '__proto__') {
    complain(reading, place, pair.key, 'cannot be a key');
  } else if (entries.has(key)) {
    const first = lineOf(reading, place);
    complain(reading, place, pair.key, `stands twice, first on line ${String(first)}`);
  } else {
    entries.set(key, readNode(reading, pair.value, place));
    noteLine(reading, place, pair.key);
  }
}

/** `<<: *other`: its keys fill in what the mapping itself does not say. */
function mergeSources(
  reading: Reading,
  map: YAMLMap,
  entries: Map<string, unknown>,
  path: ConfigPath,
  depth: number,
): void {
  for (const pair of map.items.filter((item) => keyText(item) === '<<')) {
    for (const source of isSeq(pair.value) ? pair.value.items : [pair.value]) {
      if (!hasRoom(reading, pair.key, path)) return;
      const target = isAlias(source) ? reading.targets.get(source) : source;
      if (!isMap(target) || depth > maxDepth) {
        complain(reading, [...path, '<<'], pair.key, 'must name a mapping, and not itself');
        return;
      }
      const missing = target.items.filter((item) => !isKnown(item, entries));
      for (const item of missing) readPair(reading, item, entries, path);
      mergeSources(reading, target, entries, path, depth + 1);
    }
  }
}

function isKnown(pair: Pair, entries: ReadonlyMap<string, unknown>): boolean {
  const key = keyText(pair);
  return key === '<<' || (key !== null && entries.has(key));
}

/** As it is written, so that 1 and 1.0 are two names. Null for a key that is no plain value. */
function keyText(pair: Pair): string | null {
  const { key } = pair;
  if (!isScalar(key) || key.value === null) return null;
  return typeof key.value === 'string' ? key.value : (key.source ?? null);
}

function noteLine(reading: Reading, path: ConfigPath, node: unknown): void {
  const line = lineOfNode(reading, node);
  if (line !== null) reading.lines.set(pathKey(path), line);
}

function lineOfNode(reading: Reading, node: unknown): number | null {
  const isPlaced = isAlias(node) || isMap(node) || isSeq(node) || isScalar(node);
  return isPlaced && node.range ? reading.counter.linePos(node.range[0]).line : null;
}

function complain(reading: Reading, path: ConfigPath, node: unknown, message: string): void {
  const line = lineOfNode(reading, node) ?? lineOf(reading, path);
  reading.problems.push({ path, line, message });
}
