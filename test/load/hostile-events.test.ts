import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEvent } from '../../src/inbox/events/read-event.ts';
import { UnfitEventError } from '../../src/inbox/events/unfit-event-error.ts';
import type { EventCopy } from '../../src/load/events/judge-event.ts';
import { mergeEvents } from '../../src/load/events/merge-events.ts';
import { beginMerging } from '../../src/load/merge-batch.ts';
import { Database } from '../../src/warehouse/database.ts';
import { checkRules } from '../../src/warehouse/check-rules.ts';
import { migrate } from '../../src/warehouse/schema.ts';
import { deletionEvent, inviteEvent } from '../support/inbox-segments.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const two = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));
/** Times of every form and year, most of which exist. */
const time = fc
  .tuple(
    fc.constantFrom('0000', '0001', '1582', '1969', '2026', '2028', '9999'),
    fc.tuple(two(13), two(31), two(24), two(60), two(61)),
    fc.constantFrom('', '.1', '.123456', '.123456789012', ','),
    fc.constantFrom('Z', '', 'z', '+00:00', '-23:59', '+23:59', '+1400', '+14'),
  )
  .map(
    ([year, [month, day, hour, minute, second], fraction, zone]) =>
      `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${zone}`,
  );
const text = fc.string({ unit: 'binary', maxLength: 8 });
const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), text, time, fc.constant(undefined));
const asset = fc.dictionary(
  fc.constantFrom('id', 'name', 'size', 'width', 'duration', '__proto__'),
  anything,
);
const content = fc.oneof(
  anything,
  fc.record({ copy: anything, assets: fc.oneof(anything, fc.array(asset, { maxLength: 3 })) }),
);
const fields = fc.dictionary(
  fc.constantFrom('id', 'title', 'labels', 'campaign', 'deletedBy', 'mood', '__proto__', ''),
  anything,
  { maxKeys: 2 },
);
const deletion = fc
  .record({ fields, deletedAt: fc.oneof(time, anything), linkedIn: content, x: content })
  .map(({ fields: changed, ...rest }) => deletionEvent({ ...rest, ...changed }));
const campaign = fc
  .record({ id: text, name: anything, startDate: time, endDate: fc.oneof(time, anything) })
  .chain((given) => time.map((createdAt) => deletionEvent({ campaign: given }, { createdAt })));
const invitation = fc
  .record({ createdAt: time, invitedBy: anything, email: text })
  .map((given) => inviteEvent(given));
const envelope = fc
  .record({ type: text, data: fc.dictionary(text, anything) })
  .map((given) => ({ createdAt: '2026-01-01T00:00:00Z', ...given }));

const event = fc.oneof(deletion, campaign, invitation, envelope);

test('whatever an event holds, it has an outcome, and what is applied is whole', async () => {
  const folder = await temporaryFolder();
  const database = await Database.open(':memory:', 'READ_WRITE', { threads: '2' });
  const space = { database, folder, isUpgraded: false, commitSoFar: () => Promise.resolve() };
  await migrate(database);
  await beginMerging(space);
  const keys = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 60 }), async (events) => {
      const copies = events.flatMap(copyOf);
      for (const { eventKey } of copies) keys.add(eventKey);
      await mergeEvents(space, copies, new Map([['acme', 'acme']]));
      await checkRules(database, 'checks');
      const { rows } = await database.query(
        `select count(*), count(*) filter (where created_at is null),
          count(*) filter (where (outcome = 'applied') <> (reason is null)),
          count(*) filter (where length(reason) > 1000) from webhook_events`,
      );
      expect(rows).toEqual([[keys.size, 0, 0, 0]]);
      const invites = await database.query('from invites where created_at is null');
      expect(invites.rows).toEqual([]);
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 15) },
  );
  const outcomes = await database.query('select distinct outcome from webhook_events order by all');
  expect(outcomes.rows).toEqual([['applied'], ['kept'], ['rejected']]);
  database.close();
});

/** None for what is no event at all. */
function copyOf(given: object): EventCopy[] {
  try {
    const { eventKey, payload } = readEvent(Buffer.from(JSON.stringify(given)));
    return [{ eventKey, receivedAt: '2026-01-20T10:00:00.000Z', payload }];
  } catch (error) {
    if (!(error instanceof UnfitEventError)) throw error;
    return [];
  }
}
