/** The posts of one or several answers, each once. */
export class PostSet {
  readonly #ids = new Set<string>();
  /** Records without an id, by their text. */
  readonly #texts = new Set<string>();

  constructor(records: Iterable<unknown>) {
    for (const record of records) {
      const id = idOf(record);
      if (id === null) this.#texts.add(JSON.stringify(record));
      else this.#ids.add(id);
    }
  }

  static union(sets: Iterable<PostSet>): PostSet {
    const all = new PostSet([]);
    for (const { ids, texts } of [...sets].map((set) => set.#members)) {
      for (const id of ids) all.#ids.add(id);
      for (const text of texts) all.#texts.add(text);
    }
    return all;
  }

  get size(): number {
    return this.#ids.size + this.#texts.size;
  }

  /**
   * How many of these the other set has not. Of those without an id only their number is compared, since
   * their figures may have changed from one answer to the next.
   */
  missingFrom(other: PostSet): number {
    const ids = [...this.#ids].filter((id) => !other.#ids.has(id)).length;
    return ids + Math.max(0, this.#texts.size - other.#texts.size);
  }

  get #members() {
    return { ids: this.#ids, texts: this.#texts };
  }
}

function idOf(record: unknown): string | null {
  if (typeof record !== 'object' || record === null || !('id' in record)) return null;
  return typeof record.id === 'string' && record.id !== '' ? record.id : null;
}
