import { LineCounter, isMap, isNode, isScalar, parseDocument, visit, type Document } from 'yaml';
import { isDeeperThan } from '../core/yaml-depth.ts';

interface YamlProblem {
  readonly line: number;
  readonly message: string;
}

/** Far beyond any report. */
const maxDepth = 100;

/** A YAML text that remembers on which line each of its values stands. */
export class YamlPlaces {
  readonly #lines = new LineCounter();
  readonly #document: Document;
  readonly #value: unknown;
  /** What cannot be read as YAML, with its line. */
  readonly errors: readonly YamlProblem[];

  constructor(text: string) {
    const isReadable = !isDeeperThan(text, maxDepth);
    const options = { lineCounter: this.#lines, uniqueKeys: true, strict: true };
    this.#document = parseDocument(isReadable ? text : '', options);
    const read = isReadable ? this.#read() : tooDeep;
    this.#value = read.value;
    this.errors = read.errors;
  }

  /** Plain values; null where there are errors. */
  toJS(): unknown {
    return this.#value;
  }

  #read(): { value: unknown; errors: readonly YamlProblem[] } {
    const errors = this.#document.errors.map(({ message, linePos }) => ({
      line: linePos?.[0].line ?? 1,
      message: message.split('\n')[0] ?? message,
    }));
    if (errors.length > 0) return { value: null, errors };
    try {
      return { value: this.#document.toJS(), errors };
    } catch (error) {
      // of aliases that have no anchor, or stand for far more than the file holds
      if (!(error instanceof ReferenceError)) throw error;
      return {
        value: null,
        errors: [{ line: this.#lineOfAlias(error.message), message: error.message }],
      };
    }
  }

  /** Of the first alias that the message ends with, or of the first one. */
  #lineOfAlias(message: string): number {
    const offsets: { offset: number; isNamed: boolean }[] = [];
    visit(this.#document, {
      Alias: (_, { source, range }) =>
        void offsets.push({ offset: range?.[0] ?? 0, isNamed: message.endsWith(`: ${source}`) }),
    });
    const found = offsets.find(({ isNamed }) => isNamed) ?? offsets[0];
    return this.#lines.linePos(found?.offset ?? 0).line;
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

const tooDeep = {
  value: null,
  errors: [{ line: 1, message: `is nested more than ${maxDepth} deep; is a bracket open?` }],
};
