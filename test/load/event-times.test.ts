import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { readIsoTime } from '../../src/core/iso-time.ts';
import { readReceivedEvents } from '../../src/status/received-events.ts';
import { Database } from '../../src/warehouse/database.ts';
import { migrate } from '../../src/warehouse/schema.ts';
import { readSql } from '../../src/warehouse/sql-file.ts';
import { deletionEvent, inviteEvent, storeEvents } from '../support/stored-events.ts';
import { load, rowsOf, emptyConfig } from '../support/stored-run.ts';

/** The moments as the warehouse gives them. */
const forms = [
  ['2026-01-15T12:00:00Z', '2026-01-15T12:00:00.000Z'],
  ['2026-01-15t12:00:00z', '2026-01-15T12:00:00.000Z'],
  ['2026-01-15T12:00:00', '2026-01-15T12:00:00.000Z'],
  ['2026-01-15 12:00', '2026-01-15T12:00:00.000Z'],
  ['2026-01-15T12:00Z', '2026-01-15T12:00:00.000Z'],
  ['2026-01-15T23:30:00.25-0530', '2026-01-16T05:00:00.250Z'],
  ['2026-01-15T02:30+05', '2026-01-14T21:30:00.000Z'],
] as const;

test('an event is listed and loaded as of its times, in whatever form it writes them', async () => {
  const config = await emptyConfig();
  for (const [index, [written]] of forms.entries()) {
    const campaign = { id: `c${index}`, name: 'C', startDate: written, endDate: '2026-03-31' };
    await storeEvents(config, [
      deletionEvent({ id: `p${index}`, deletedAt: written, campaign }, { createdAt: written }),
      inviteEvent({ id: `i${index}`, createdAt: written }, { createdAt: written }),
      { type: 'campaign.renamed', createdAt: written, data: { index } },
    ]);
  }
  const query = { key: '', types: [], outcomes: [], workspace: null };
  const list = async () => {
    const any = { since: null, until: null, limit: null };
    const { events } = await readReceivedEvents(config, { ...query, ...any });
    return events.map(({ created_at: time, outcome }) => `${outcome} ${time}`).toSorted();
  };
  const moments = forms.map(([, moment]) => moment);
  const listed = (...outcomes: string[]) =>
    moments.flatMap((moment) => outcomes.map((outcome) => `${outcome} ${moment}`)).toSorted();
  expect(await list()).toEqual(listed('pending', 'pending', 'pending'));
  await load(config);
  expect(await list()).toEqual(listed('applied', 'applied', 'kept'));
  const column = async (sql: string) =>
    (await rowsOf(config, sql)).flatMap((row) => Object.values(row));
  expect(await column('select removed_at from posts order by post_id')).toEqual(moments);
  expect(await column('select created_at from invites order by invite_id')).toEqual(moments);
  expect(await column('select distinct start_date from campaigns')).toEqual(['2026-01-15']);
});

const piece = (...choices: string[]) => fc.constantFrom(...choices);
const times = fc
  .tuple(
    fc.date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true }),
    piece('', 'Z', 'z', '+05', '-0530', '+14:00'),
  )
  .map(([time, offset]) => `${time.toISOString().slice(0, -1)}${offset}`);
const nearTimes = fc
  .tuple(
    piece('2026', '2024', '1970', '9999', '26'),
    piece('-01-15', '-02-29', '-02-30', '-00-01', '-1-1', '0115', '-12-31'),
    piece('T', 't', ' ', '_', ''),
    piece('12:00', '23:59', '24:00', '25:00', '12:60', '12', ''),
    piece('', ':59', ':30.', ':00.1234567', ':60', ':00,5'),
    piece('', 'Z', 'z', '+', '-', '+05', '-05:30', '+0530', '+99:99', '+5', ' Z'),
  )
  .map((parts) => parts.join(''));

test('a time that an event may have is never another one to the load', async () => {
  const database = await Database.open(':memory:', 'READ_WRITE', { threads: '2' });
  onTestFinished(() => {
    database.close();
  });
  await migrate(database);
  await database.run(await readSql('load/begin.sql'));
  const query = 'select epoch_ms(time_of(text)) from (select unnest($texts::varchar[]) as text)';
  const texts = fc.array(fc.oneof(nearTimes, times), { minLength: 500, maxLength: 500 });
  const property = fc.asyncProperty(texts, async (sample) => {
    const { rows } = await database.query(query, { texts: sample });
    const moments = sample.map((text, index) => [text, readIsoTime(text)?.getTime(), rows[index]]);
    const read = moments.filter(([, ours]) => ours !== undefined);
    expect(read.length).toBeGreaterThan(100);
    expect(read).toEqual(read.map(([text, ours]) => [text, ours, [ours]]));
  });
  await fc.assert(property, { numRuns: 20 });
});
