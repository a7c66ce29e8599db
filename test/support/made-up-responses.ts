import fc from 'fast-check';
import { listLanding } from '../../src/landing/landed-part.ts';
import { openPart } from '../../src/landing/landing-part.ts';
import type { PendingResponse } from '../../src/load/batch.ts';
import { analyticsRecord, landAnalytics, landDetails, recordOf } from './landed-run.ts';

/** Few instants, so that some are equal. */
export const instant = fc
  .integer({ min: 0, max: 5 })
  .map((hours) => new Date(1_768_500_000_000 + hours * 7_200_000));

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
/** An answer about few posts; the runs overlap in time. */
export const response = fc.record({
  answer,
  fetchedAt: instant,
  run: fc.constantFrom('run-a', 'run-b'),
});
type Response = typeof response extends fc.Arbitrary<infer T> ? T : never;

/** Lands responses in the order given. */
export async function landAll(
  dataDir: string,
  responses: readonly Response[],
): Promise<PendingResponse[]> {
  for (const runId of ['run-a', 'run-b']) {
    const part = await openPart(dataDir, recordOf({ run_id: runId }));
    for (const { answer: given, fetchedAt } of responses.filter(({ run }) => run === runId)) {
      if (given.kind === 'analytics') await landAnalytics(part, given.records, { fetchedAt });
      else {
        const post = given.post && { id: given.postId, ...given.post };
        await landDetails(part, given.postId, post, { fetchedAt });
      }
    }
  }
  const { parts } = await listLanding(dataDir);
  return parts.flatMap((part) =>
    part.responses.map((each) => ({ record: part.record, response: each })),
  );
}
