import { expect, test } from 'vitest';
import { faultsOf, saidOf } from './support/said.ts';
import { smallWorld } from './support/small-worlds.ts';

test.each([5, 38])('what is said holds in the small world %i', async (seed) => {
  const world = smallWorld(seed);
  const said = await saidOf(world);
  expect(said.length).toBeGreaterThan(40);
  expect(said.flatMap((one) => faultsOf(one, world))).toEqual([]);
});
