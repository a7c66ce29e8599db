import { expect, test } from 'vitest';
import { faultsOf, saidOf } from '../../reports/support/said.ts';
import { smallWorld } from '../../reports/support/small-worlds.ts';

const { FUZZ_RUNS, FUZZ_SEED } = process.env;

/**
 * Of the first 60 worlds these and those of test/reports/small-worlds.test.ts say every kind of sentence that any of them
 * says. `FUZZ_RUNS` asks for that many.
 */
const telling = [1, 4, 13, 17, 25, 30, 34, 36, 40, 44, 47, 50, 56, 57];
const seeds = FUZZ_RUNS
  ? Array.from({ length: Number(FUZZ_RUNS) }, (_, index) => Number(FUZZ_SEED ?? 1) + index)
  : telling;

test.each(seeds)('what is said holds in the small world %i', async (seed) => {
  const world = smallWorld(seed);
  const said = await saidOf(world);
  expect(said.flatMap((one) => faultsOf(one, world))).toEqual([]);
});
