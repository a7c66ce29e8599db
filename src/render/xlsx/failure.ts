/** What went wrong in a stream that nobody is waiting for at that moment. */
export class Failure {
  readonly #promise: Promise<never>;
  /** Takes the first error; later ones follow from it. */
  readonly report: (error: Error) => void;

  constructor() {
    let reject: (error: Error) => void = () => undefined;
    this.#promise = new Promise((_, refuse) => {
      reject = refuse;
    });
    this.report = reject;
    // Whoever waits next learns of it; between two waits it must not end the process.
    this.#promise.catch(() => undefined);
  }

  /** @throws what was reported, when that comes before `work` is done. */
  async orDone<Value>(work: Promise<Value>): Promise<Value> {
    return Promise.race([this.#promise, work]);
  }
}
