/** Gives something back, such as a lock or a port. */
type Release = () => Promise<void>;

/** What was taken one after another, and is given back in the reverse order. */
export class Releases {
  readonly #releases: Release[] = [];

  add(release: Release): void {
    this.#releases.push(release);
  }

  /**
   * Gives everything back, also behind one that fails. A second call has nothing left to do.
   * @throws the first error
   */
  async releaseAll(): Promise<void> {
    const errors: unknown[] = [];
    for (const release of this.#releases.splice(0).toReversed()) {
      await release().catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw errors[0];
  }
}
