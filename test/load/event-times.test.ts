import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { readIsoTime } from '../../src/core/iso-time.ts';
import { Database } from '../../src/warehouse/database.ts';
import { migrate } from '../../src/warehouse/schema.ts';
import { readSql } from '../../src/warehouse/sql-file.ts';

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
