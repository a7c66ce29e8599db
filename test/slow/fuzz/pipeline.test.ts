import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertHolds, fuzzTimeoutMs } from '../../support/fuzz.ts';
import type { Death } from '../../support/killed-program.ts';
import { rowsOf } from '../../support/stored-run.ts';
import { dumpTables } from '../../support/table-dump.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { faultyAnswers, WorkspaceStory, type Faults } from '../../support/workspace-story.ts';

const nth = fc.nat(20);
const kinds = Object.keys(faultyAnswers) as (keyof typeof faultyAnswers)[];
const fault = fc.record({ at: fc.nat(10), kind: fc.constantFrom(...kinds) });
const faults: fc.Arbitrary<Faults> = fc.record({
  answers: fc.array(fault, { maxLength: 3 }),
  stopAt: fc.option(fc.nat(9)),
  lost: fc.nat(2),
});
const death: fc.Arbitrary<Death> = fc.record({
  when: fc.constantFrom('before', 'after'),
  operation: fc.constantFrom('rename', 'rename', 'copyFile'),
  nth: fc.integer({ min: 1, max: 3 }),
});

type Step = (story: WorkspaceStory) => Promise<void> | void;

const publish = fc.record({ profile: fc.nat(1), day: fc.nat(44), isLinked: fc.boolean() });
const restate = fc.record({ nth, likes: fc.option(fc.integer({ min: -1, max: 99 })) });
const deliver = fc.record({ nth, copies: fc.integer({ min: 1, max: 2 }) });
const step: fc.Arbitrary<Step> = fc.oneof(
  shown('publish', publish, (story, { profile, day, isLinked }) =>
    story.publish(profile, day, isLinked),
  ),
  shown('restate', restate, (story, given) => story.restate(given.nth, given.likes)),
  shown('remove', nth, (story, given) => story.remove(given)),
  shown('deliver', deliver, (story, given) => story.deliver(given.nth, given.copies)),
  { weight: 3, arbitrary: shown('run', faults, (story, given) => story.run(given)) },
  shown('load', fc.constant(null), (story) => story.load()),
  shown('rebuild', fc.constant(null), (story) => rebuildWhole(story)),
  { weight: 2, arbitrary: shown('killed load', death, (story, given) => story.loadUntil(given)) },
  shown('wait', fc.constantFrom(1, 13, 24, 24 * 20), (story, hours) =>
    story.clock.pass(hours * 3_600_000),
  ),
);

/** A step that a counterexample names. */
function shown<T>(
  name: string,
  given: fc.Arbitrary<T>,
  take: (story: WorkspaceStory, given: T) => Promise<void> | void,
): fc.Arbitrary<Step> {
  return given.map((value) =>
    Object.assign((story: WorkspaceStory) => take(story, value), {
      [fc.toStringMethod]: () => `${name} ${JSON.stringify(value)}`,
    }),
  );
}

/** Nothing is ever damaged or lost: what a load has taken stays in the raw store. */
async function rebuildWhole(story: WorkspaceStory): Promise<void> {
  expect(await story.rebuild()).toMatchObject({ isPublished: true, damaged: 0, lost: 0 });
}

/** Every post that the service has is there once with its figure, and every removal with its time. */
async function holdTruth(story: WorkspaceStory): Promise<void> {
  const { likes, removals } = story.truth();
  const posts = await rowsOf(
    story.config,
    'select linkedin_post_id as id, like_count::int as likes from linkedin_posts',
  );
  const known = new Map(posts.map(({ id, likes: count }) => [String(id), count]));
  expect(known.size).toBe(posts.length);
  for (const [id, count] of likes) {
    expect(known.has(id)).toBe(true);
    // one that is not known any more keeps what was last known
    if (count !== null) expect([id, known.get(id)]).toEqual([id, count]);
  }
  const removed = await rowsOf(
    story.config,
    'select post_id as id, epoch_ms(removed_at)::double as ms from posts where removed_at is not null',
  );
  const times = removed.map(
    ({ id, ms }) => [String(id), new Date(Number(ms)).toISOString()] as const,
  );
  expect(new Map(times)).toEqual(removals);
}

const nothing: Faults = { answers: [], stopAt: null, lost: 0 };

test(
  'whatever befalls runs, loads and events on the way, the tables are in the end those of a rebuild, and say what the service says',
  async () => {
    const root = await temporaryFolder();
    let count = 0;
    await assertHolds(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
        const story = await WorkspaceStory.begin(join(root, String((count += 1))));
        for (const take of steps) await take(story);
        await story.deliverAll();
        story.clock.pass(24 * 3_600_000);
        await story.run(nothing, true);
        await holdTruth(story);
        const tables = await dumpTables(story.config);
        await story.load();
        expect(await dumpTables(story.config)).toEqual(tables);
        await rebuildWhole(story);
        expect(await dumpTables(story.config)).toEqual(tables);
      }),
      2,
    );
  },
  fuzzTimeoutMs,
);
