import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvalidEventError, readEventText } from '../../src/webhooks/event-text.ts';
import { seed } from '../support/fuzz.ts';
import { deletionEvent, inviteEvent, storeEvents } from '../support/stored-events.ts';
import { configOf, load, rowsOf } from '../support/stored-run.ts';
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

test('every event has an outcome, whatever it contains, and applied events are complete', async () => {
  const config = configOf(await temporaryFolder());
  const keys = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 20, maxLength: 60 }), async (events) => {
      const stored = await storeEvents(config, events.filter(isEvent));
      for (const key of stored) keys.add(key);
      expect(await load(config)).toMatchObject({ damaged: 0 });
      const counts = await rowsOf(
        config,
        `select
          count(*)::int as events,
          count(*) filter (where created_at is null)::int as timeless,
          count(*) filter (where (outcome = 'applied') <> (reason is null))::int as unexplained,
          count(*) filter (where length(reason) > 1000)::int as long_reasons
        from webhook_events`,
      );
      expect(counts).toEqual([{ events: keys.size, timeless: 0, unexplained: 0, long_reasons: 0 }]);
      expect(await rowsOf(config, 'from invites where created_at is null')).toEqual([]);
    }),
    // the warehouse grows, so that a smaller example says nothing
    { seed, numRuns: Number(process.env['FUZZ_RUNS'] ?? 3), endOnFailure: true },
  );
  expect(await rowsOf(config, 'select distinct outcome from webhook_events order by all')).toEqual(
    ['applied', 'kept', 'rejected'].map((outcome) => ({ outcome })),
  );
});

/** Tells whether the receiver would accept the event. */
function isEvent(given: object): boolean {
  try {
    readEventText(Buffer.from(JSON.stringify(given)));
    return true;
  } catch (error) {
    if (error instanceof InvalidEventError) return false;
    throw error;
  }
}
