import { expect, it } from 'vitest';
import { daysBetween } from '../../src/core/calendar.ts';
import type { CannedAnswer } from '../support/plain-service.ts';
import { datesOf, firstOfNovember, list, month } from '../support/sent-month.ts';

/** Ways to answer something else than what was each with what the run and the held mail say. */
const deviations: [
  what: string,
  answer: (
    url: URL,
    data: Record<string, unknown>[],
    all: Record<string, unknown>[],
  ) => CannedAnswer | null,
  says: RegExp,
][] = [
  [
    'says with a Link that there is a next page',
    (_, data) =>
      list(data.slice(0, 20), { headers: { link: '<https://x.example/?page=2>; rel="next"' } }),
    /not whole \(link/,
  ],
  [
    'says with a total that there are more',
    (_, data) => list(data.slice(0, 20), { headers: { 'x-total-count': '31' } }),
    /not whole \(x-total-count: 31/,
  ],
  [
    'says with a cursor that there are more',
    (_, data) => list(data.slice(0, 20), { headers: { 'x-next-cursor': 'abc' } }),
    /not whole \(x-next-cursor/,
  ],
  [
    'gives a range of items',
    (_, data) => list(data.slice(0, 20), { headers: { 'content-range': 'items 0-19/31' } }),
    /not whole \(content-range/,
  ],
  ['answers 206', (_, data) => list(data.slice(0, 20), { status: 206 }), /HTTP 206 instead of 200/],
  [
    'is still preparing it',
    () => list([], { status: 202, headers: { 'retry-after': '1' } }),
    /HTTP 202 instead of 200/,
  ],
  ['has no content', () => ({ status: 204, body: '' }), /HTTP 204 instead of 200/],
  ['has posts of other days', (_, __, all) => list(all.slice(59)), /the service ignored the dates/],
  [
    'has a record that names no post',
    (_, data) => list([...data, { ...data[0], id: 5 }]),
    /1 of \d+ records have no id/,
  ],
  [
    'has none that names its post',
    (_, data) => list(data.map((each) => ({ ...each, id: null }))),
    /\d+ of \d+ records have no id/,
  ],
];

it('an answer that is not what was asked for proves none of its days: the month is held until they are read', async () => {
  const { service, records, run, query, mails, states } = await month({
    windows: '{ start: 2026-09-01, size_days: 3 }',
  });
  // every other range has a deviation of its own, whether it is asked for whole or in halves
  service.respond = (url, data) => {
    const nth = daysBetween('2026-08-31', datesOf(url)[0] ?? '') / 6;
    const [, answer] = nth % 1 < 0.5 ? (deviations[Math.floor(nth)] ?? []) : [];
    return answer?.(url, data, records) ?? null;
  };
  const first = await run('run monthly', firstOfNovember);
  expect(first.code).toBe(3);
  const ranges = await query(
    'select error, last_day from extract_windows where part_of is null order by start_date',
  );
  for (const [index, [what, , says]] of deviations.entries()) {
    const refused = { error: expect.stringMatching(says) as string, last_day: null };
    expect(ranges[2 * index], what).toEqual(refused);
    expect(ranges[2 * index + 1]).toMatchObject({
      error: null,
      last_day: expect.anything() as unknown,
    });
  }
  expect(mails()).toEqual([]);
  expect(await states()).toEqual(['held']);
  expect((await run('status --fail-on failed')).code).toBe(1);
  service.respond = null;
  const healed = await run('catch-up', '2026-11-01T08:00:00Z');
  expect(healed.log).not.toContain('not whole');
  expect(healed.code).toBe(0);
  expect(await states()).toEqual(['sent']);
  expect(mails()[0]).not.toContain('Incomplete');
});
