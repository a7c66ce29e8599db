import { expect, test } from 'vitest';
import { faultsOf, saidOf } from '../../reports/support/said.ts';
import { smallWorld } from '../../reports/support/small-worlds.ts';

const seeds = Array.from({ length: 60 }, (_, index) => index + 1);

test.each(seeds)('what is said holds in the small world %i', async (seed) => {
  const world = smallWorld(seed);
  const said = await saidOf(world);
  expect(said.flatMap((one) => faultsOf(one, world))).toEqual([]);
});
