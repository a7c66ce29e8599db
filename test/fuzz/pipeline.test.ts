import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertHolds, fuzzTimeoutMs } from '../support/fuzz.ts';
import { compileProgram, type Death } from '../support/killed-program.ts';
import { rowsOf } from '../support/landed-run.ts';
import { startPlainService } from '../support/plain-service.ts';
import { dumpTables } from '../support/table-dump.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { faultyAnswers, WorkspaceStory, type Faults } from '../support/workspace-story.ts';

const nth = fc.nat(20);
const kinds = Object.keys(faultyAnswers) as (keyof typeof faultyAnswers)[];
const faults: fc.Arbitrary<Faults> = fc.record({
  answers: fc.array(fc.record({ at: fc.nat(10), kind: fc.constantFrom(...kinds) }), {
    maxLength: 3,
  }),
  stopAt: fc.option(fc.nat(9)),
  lost: fc.nat(2),
});
const death: fc.Arbitrary<Death> = fc.record({
  when: fc.constantFrom('before', 'after'),
  operation: fc.constantFrom('rename', 'rename', 'rename', 'copyFile'),
  nth: fc.integer({ min: 1, max: 7 }),
});

const step = fc.oneof(
  fc.record({
    kind: fc.constant('publish'),
    profile: fc.nat(1),
    day: fc.nat(44),
    isLinked: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('restate'),
    nth,
    likes: fc.option(fc.integer({ min: -1, max: 99 })),
  }),
  fc.record({ kind: fc.constant('remove'), nth }),
  fc.record({ kind: fc.constant('deliver'), nth, copies: fc.integer({ min: 1, max: 2 }) }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('run'), faults }) },
  fc.record({ kind: fc.constant('load') }),
  fc.record({ kind: fc.constant('rebuild') }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('killed load'), death }) },
  fc.record({ kind: fc.constant('wait'), hours: fc.constantFrom(1, 13, 24, 24 * 20) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(given: Step, story: WorkspaceStory, program: string): Promise<void> {
  switch (given.kind) {
    case 'publish':
      story.publish(given.profile, given.day, given.isLinked);
      return;
    case 'restate':
      story.restate(given.nth, given.likes);
      return;
    case 'remove':
      story.remove(given.nth);
      return;
    case 'deliver':
      return story.deliver(given.nth, given.copies);
    case 'run':
      return story.run(given.faults);
    case 'load':
      return story.load();
    case 'rebuild':
      expect(await story.rebuild()).toMatchObject(wholeRebuild);
      return;
    case 'killed load':
      return story.loadUntil(given.death, program);
    case 'wait':
      story.clock.pass(given.hours * 3_600_000);
  }
}

/** Nothing is ever damaged or lost: what a load has taken is in the archive, or still in landing. */
const wholeRebuild = {
  isPublished: true,
  refusal: null,
  damages: [],
  losses: { responses: 0, events: 0 },
};

const nothing: Faults = { answers: [], stopAt: null, lost: 0 };

async function beginStory(folder: string): Promise<WorkspaceStory> {
  const records = new Map<string, Record<string, unknown>[]>();
  const posts = new Map<string, Record<string, unknown>>();
  const story = new WorkspaceStory(
    folder,
    await startPlainService({ analytics: records, posts }),
    records,
    posts,
  );
  for (const [profile, day] of [
    [0, 1],
    [0, 40],
    [1, 2],
  ] as const)
    story.publish(profile, day, true);
  return story;
}

/** Every post that the service has is there with its figure, and every removal with its time. */
async function holdTruth(story: WorkspaceStory): Promise<void> {
  const { likes, removals } = story.truth();
  const posts = await rowsOf(
    story.config,
    'select linkedin_post_id as id, like_count as likes from linkedin_posts',
  );
  const known = new Map(
    posts.map(({ id, likes: count }) => [String(id), count === null ? null : Number(count)]),
  );
  expect([...known.keys()]).toEqual(expect.arrayContaining(likes.map(([id]) => id)));
  for (const [id, count] of likes) {
    // one that is not known any more keeps what was last known
    if (count !== null) expect([id, known.get(id)]).toEqual([id, count]);
  }
  const removed = await rowsOf(
    story.config,
    'select post_id as id, removed_at as at from posts where removed_at is not null',
  );
  const times = removed.map(({ id, at }): [string, string] => [
    String(id),
    new Date(String(at)).toISOString(),
  ]);
  expect(new Map(times)).toEqual(new Map(removals));
}

test(
  'whatever befalls runs, loads and events on the way, the tables are in the end those of one undisturbed load and of a rebuild, and say what the service says',
  async () => {
    const root = await temporaryFolder();
    const program = await compileProgram();
    let count = 0;
    await assertHolds(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
        const folder = join(root, String((count += 1)));
        const story = await beginStory(folder);
        for (const given of steps) await take(given, story, program);
        await story.deliverAll();
        story.clock.pass(24 * 3_600_000);
        await story.run(nothing, true);
        await holdTruth(story);
        const tables = await dumpTables(story.config);
        await story.load();
        expect(await dumpTables(story.config)).toEqual(tables);
        expect(await story.rebuild()).toMatchObject(wholeRebuild);
        expect(await dumpTables(story.config)).toEqual(tables);
        expect(tables).toEqual(await dumpTables(await story.undisturbed(join(folder, 'twin'))));
      }),
      2,
    );
  },
  fuzzTimeoutMs,
);
