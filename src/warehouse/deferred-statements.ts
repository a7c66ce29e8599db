import type { Parameters } from './parameters.ts';

/** A statement of `create or replace …`, and the values of its parameters. */
interface Deferred {
  readonly name: string;
  readonly sql: string;
  readonly params: Parameters;
}

/**
 * Statements that each make a temporary table, view or macro, and wait until one is named. Planning costs a millisecond
 * or more for each, and few queries need all.
 */
export class DeferredStatements {
  #waiting: readonly Deferred[] = [];

  /** @param script the statements, each of which begins a line */
  add(script: string, params: Parameters): void {
    const statements = script.split(/^(?=create or replace )/m).flatMap((sql) => {
      const name = /^create or replace (?:temp )?(?:table|view|macro) (?:\S+\.)?(\w+)/.exec(
        sql,
      )?.[1];
      // the comment that ends it is about the next one
      return name ? [{ name, sql: sql.replace(/(?:\n--.*)+\s*$/, ''), params }] : [];
    });
    this.#waiting = [...this.#waiting, ...statements];
  }

  /**
   * Returns what makes all that the text names, and what that reads, in the order of the scripts. It waits no longer.
   * @param text in which any word can be a name
   */
  take(text: string): readonly Deferred[] {
    const taken = new Set<Deferred>();
    const words = [text];
    for (let sql = words.pop(); sql !== undefined; sql = words.pop()) {
      const named = new Set(sql.toLowerCase().match(/\w+/g));
      for (const statement of this.#waiting) {
        if (taken.has(statement) || !named.has(statement.name)) continue;
        taken.add(statement);
        words.push(statement.sql);
      }
    }
    return this.#leave(taken);
  }

  /** Returns all that wait, in the order of the scripts. */
  takeAll(): readonly Deferred[] {
    return this.#leave(new Set(this.#waiting));
  }

  #leave(taken: ReadonlySet<Deferred>): readonly Deferred[] {
    const all = this.#waiting;
    this.#waiting = all.filter((statement) => !taken.has(statement));
    return all.filter((statement) => taken.has(statement));
  }

  copy(): DeferredStatements {
    const copy = new DeferredStatements();
    copy.#waiting = this.#waiting;
    return copy;
  }
}
