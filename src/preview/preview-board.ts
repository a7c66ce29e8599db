/** A mistake that kept a page from being made. */
export interface PreviewFault {
  /** For example `reports/hiring/by_month.sql:3:8`; null where the message names it. */
  readonly place: string | null;
  readonly message: string;
}

/** What became of one look at a report's files. */
export interface Rendering {
  /** Null when there are faults. */
  readonly html: string | null;
  readonly faults: readonly PreviewFault[];
  /** Absolute paths of the files and folders that it rests on, there or not. */
  readonly inputs: readonly string[];
}

/** The state of the newest rendering, as browsers get it. */
export interface PreviewState {
  /** Of the page that there is, from 1; 0 without one. It stays while there are faults. */
  readonly page: number;
  /** When that page was made, ISO 8601 in UTC; null without one. */
  readonly madeAt: string | null;
  readonly faults: readonly PreviewFault[];
}

/** The newest page without faults, the faults since, and the listeners for the next. */
export class PreviewBoard {
  readonly #listeners = new Set<(state: PreviewState) => void>();
  #html: string | null = null;
  #state: PreviewState = { page: 0, madeAt: null, faults: [] };

  /** The last page without faults; null before the first. */
  get html(): string | null {
    return this.#html;
  }

  get state(): PreviewState {
    return this.#state;
  }

  show({ html, faults }: Rendering, now: Date): void {
    if (html === null) {
      this.#state = { ...this.#state, faults };
    } else {
      this.#html = html;
      const page = this.#state.page + 1;
      this.#state = { ...this.#state, page, madeAt: now.toISOString(), faults: [] };
    }
    for (const listener of this.#listeners) listener(this.#state);
  }

  /** @returns what ends it */
  subscribe(listener: (state: PreviewState) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}
