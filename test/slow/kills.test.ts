import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fuzzTimeoutMs, seed } from '../support/fuzz.ts';
import { KillWorld, type Kill } from '../support/kill-world.ts';

/** `FUZZ_RUNS=1000 FUZZ_SEED=1` asks for a long count with another seed. */
const killCount = Number(process.env['FUZZ_RUNS'] ?? 4);
const killsADay = 2;
const kill: fc.Arbitrary<Kill> = fc.record({
  point: fc.constantFrom('write', 'statement', 'send', 'time'),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  side: fc.constantFrom('before', 'during', 'after'),
});

it(
  'wherever runs are killed, one more run removes what they left, and leaves the tables, reports, uploads and mails of a site where none was',
  async () => {
    const world = await KillWorld.start(1);
    for (const site of [world.killed, world.calm])
      expect(await site.run(['run'], world.now())).toMatchObject({ code: 0 });
    world.takeReceived();
    const kills = fc.sample(kill, { seed, numRuns: killCount });
    const left: string[] = [];
    for (let first = 0; first < kills.length; first += killsADay) {
      const amongReports: Kill = { point: 'folder', share: (first % 6) / 10, side: 'after' };
      const others = kills.slice(first, first + killsADay);
      // on the first day before all others, since a run that resumes may have no reports left to write
      left.push(
        ...(await liveDay(
          world,
          first > 0 ? [...others, amongReports] : [amongReports, ...others],
        )),
      );
    }
    expect(left.some((name) => /\.postledger-[0-9a-f]{16}$/.test(name))).toBe(true);
    // a run that resumes may end before its moment comes
    expect(world.killed.deaths).toBeGreaterThan(killCount / 4);
    const tables = await world.killed.tables();
    expect(await world.killed.run(['rebuild'], world.now())).toMatchObject({ code: 0 });
    expect(await world.killed.tables()).toEqual(tables);
  },
  Math.max(fuzzTimeoutMs, 300_000),
);

/** Lets a day pass on both sites. @returns what the killed runs left behind */
async function liveDay(world: KillWorld, kills: readonly Kill[]): Promise<string[]> {
  const { killed, calm } = world;
  await world.nextDay();
  let ended = 1;
  const left: string[] = [];
  for (const each of kills) {
    if (await runUntil(world, each)) ended += 1;
    left.push(...(await killed.leftovers()));
  }
  const last = await killed.run(['run'], world.now());
  const deliveries = await listDeliveries(world);
  const unknown = deliveries.filter(({ state }) => state === 'unknown');
  expect([kills, last]).toMatchObject([kills, { code: unknown.length > 0 ? 3 : 0 }]);
  const open = deliveries.filter(({ state }) => !['sent', 'unknown', 'discarded'].includes(state));
  expect([kills, open]).toEqual([kills, []]);
  expect([kills, await killed.leftovers()]).toEqual([kills, []]);
  const received = world.takeReceived();

  for (let count = 0; count < ended; count += 1)
    expect(await calm.run(['run'], world.now())).toMatchObject({ code: 0 });
  const wanted = world.takeReceived();
  expect([kills, await killed.tables()]).toEqual([kills, await calm.tables()]);
  expect([kills, await killed.reports()]).toEqual([kills, await calm.reports()]);
  expect([kills, received.uploads]).toEqual([kills, wanted.uploads]);
  expect([kills, received.hasTwins]).toEqual([kills, false]);
  const missing = [...wanted.mails.keys()].filter((id) => !received.mails.has(id));
  expect([kills, missing.length <= unknown.length]).toEqual([kills, true]);
  for (const [id, text] of received.mails)
    expect([kills, text]).toEqual([kills, wanted.mails.get(id)]);
  for (const { id } of unknown) await killed.run(['deliver', 'discard', id], world.now());
  return left;
}

/** Kills a run, and examines what it leaves behind. @returns whether the run had ended before */
async function runUntil(world: KillWorld, each: Kill): Promise<boolean> {
  const { killed } = world;
  const before = await killed.rawFiles();
  const wasOpen = (await killed.openRuns()) > 0;
  const { code, signal, stderr } = await killed.run(['run'], world.now(), each);
  if (signal !== 'SIGKILL')
    expect([each, code, stderr]).toEqual([each, expect.toBeOneOf([0, 3]), stderr]);
  const after = await killed.rawFiles();
  expect([each, after]).toEqual([each, expect.arrayContaining(before)]);
  // the published file is whole at any time
  await killed.tables();
  const hasBegun = wasOpen || after.length > before.length;
  return signal === null || (hasBegun && (await killed.openRuns()) === 0);
}

async function listDeliveries(world: KillWorld) {
  const { stdout } = await world.killed.run(['deliver', 'list', '--all', '--json'], world.now());
  return JSON.parse(stdout) as { id: string; state: string }[];
}
