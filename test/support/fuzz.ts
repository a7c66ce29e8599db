import fc from 'fast-check';

const { FUZZ_RUNS, FUZZ_SEED, FUZZ_PATH } = process.env;

/** The seed is the same unless another is asked for, so that a commit is judged the same everywhere. */
export const seed = Number(FUZZ_SEED ?? 20_260_115);

/** A long count asks for thousands of runs, and may take a day. */
export const fuzzTimeoutMs = FUZZ_RUNS === undefined ? 120_000 : 24 * 3_600_000;

type Property<T> = fc.IAsyncProperty<T> | fc.IAsyncPropertyWithHooks<T>;

/**
 * Tries a property `usualRuns` times from one seed, or as often and from where the environment says:
 * `FUZZ_RUNS`, `FUZZ_SEED`, and `FUZZ_PATH` for a counterexample that was told before.
 * @throws Error with the least counterexample, and the variables that lead to it again
 */
export async function assertHolds<T>(property: Property<T>, usualRuns: number): Promise<void> {
  const details = await fc.check(property, {
    seed,
    numRuns: Number(FUZZ_RUNS ?? usualRuns),
    ...(FUZZ_PATH !== undefined && { path: FUZZ_PATH }),
    // ends a search for a smaller counterexample before vitest's own limit hides the one that there is
    plugins: [fc.interruptAfterTimeLimit(0.8 * fuzzTimeoutMs, { failOnInterrupt: true })],
  });
  if (!details.failed) return;
  const again = `FUZZ_SEED=${details.seed} FUZZ_PATH=${details.counterexamplePath ?? '0'}`;
  const told = fc.defaultReportMessage(details);
  throw new Error(`${causeOf(details.errorInstance)}\n${told}\nagain with ${again}`);
}

/** The cause comes first, since the counterexample that follows can be long. */
function causeOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
