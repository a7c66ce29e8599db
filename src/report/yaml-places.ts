import { LineCounter, isMap, isNode, isScalar, parseDocument, type Document } from 'yaml';

/** A YAML text that remembers on which line each of its values stands. */
export class YamlPlaces {
  readonly #lines = new LineCounter();
  readonly #document: Document;

  constructor(text: string) {
    const options = { lineCounter: this.#lines, uniqueKeys: true, strict: true };
    this.#document = parseDocument(text, options);
  }

  /** What cannot be read as YAML, with its line. */
  get errors(): { line: number; message: string }[] {
    return this.#document.errors.map(({ message, linePos }) => ({
      line: linePos?.[0].line ?? 1,
      message: message.split('\n')[0] ?? message,
    }));
  }

  /** Plain values. */
  toJS(): unknown {
    return this.#document.toJS();
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
