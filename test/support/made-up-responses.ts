import fc from 'fast-check';
import { RunWriter } from '../../src/store/run-writer.ts';
import { analyticsRecord, finishOf, storeAnalytics, storeDetails, recordOf } from './stored-run.ts';

/** Instants of half a day, which the runs share. */
export const instant = fc
  .integer({ min: 0, max: 60 })
  .map((minutes) => new Date(1_768_500_000_000 + minutes * 720_000));

const count = fc.option(fc.integer({ min: -1, max: 3 }));
const label = fc.record({
  labelId: fc.constantFrom('l1', 'l2'),
  name: fc.constantFrom('red', 'blue', null),
});
const linkedPost = fc.option(
  fc.record({
    id: fc.constantFrom('p1', 'p2'),
    title: fc.constantFrom('A', 'B'),
    labels: fc.array(label, { maxLength: 2 }),
    campaign: fc.option(
      fc.record({ id: fc.constantFrom('c1', 'c2'), name: fc.constantFrom('x', 'y', null) }),
    ),
  }),
);
const record = fc
  .record({
    id: fc.constantFrom('a', 'b'),
    type: fc.constantFrom('Image', 'Video', 7),
    commentary: fc.option(fc.constantFrom('one', 'two')),
    likeCount: count,
    impressionCount: count,
    emv: fc.option(fc.constantFrom(1.5, 2.25)),
    servicePost: linkedPost,
  })
  .map(analyticsRecord);
const assets = fc.array(fc.record({ id: fc.constantFrom('m1', 'm2'), size: fc.nat(2) }), {
  maxLength: 3,
});
const details = fc.option(
  fc.record({
    title: fc.constantFrom('A', 'C'),
    status: fc.constantFrom('Posted', 'Scheduled'),
    labels: fc.array(
      fc.record({
        id: fc.constantFrom('l1', 'l3'),
        name: fc.constantFrom('red', 'green'),
        color: fc.option(fc.constantFrom('#fff', '#000')),
      }),
      { maxLength: 2 },
    ),
    linkedIn: fc.option(fc.record({ copy: fc.constantFrom('hi', 'ho'), assets })),
    x: fc.option(fc.record({ tweets: fc.tuple(fc.record({ assets })) })),
  }),
);
const answer = fc.oneof(
  fc.record({
    kind: fc.constant('analytics' as const),
    records: fc.array(record, { maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constant('post' as const),
    postId: fc.constantFrom('p1', 'p2'),
    post: details,
  }),
);
/** An answer about few posts. */
export const response = fc.record({
  answer,
  fetchedAt: instant,
});
export type Response = typeof response extends fc.Arbitrary<infer T> ? T : never;

/** Stores responses in a run folder of their own. */
export async function storeResponses(
  dataDir: string,
  runId: string,
  responses: readonly Response[],
): Promise<void> {
  const writer = await RunWriter.open(dataDir, recordOf({ run_id: runId }));
  const inOrder = responses.toSorted((a, b) => a.fetchedAt.getTime() - b.fetchedAt.getTime());
  for (const { answer: given, fetchedAt } of inOrder) {
    if (given.kind === 'analytics') await storeAnalytics(writer, given.records, { fetchedAt });
    else {
      const post = given.post && { id: given.postId, ...given.post };
      await storeDetails(writer, given.postId, post, { fetchedAt });
    }
  }
  await writer.finish(finishOf());
}
