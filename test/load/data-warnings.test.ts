import { beforeAll, describe, expect, test } from 'vitest';
import { readStatus } from '../../src/status/status.ts';
import type { DatabaseValue } from '../../src/warehouse/cell.ts';
import { verdictsOf } from '../../src/status/problem-sentences.ts';
import { deletionEvent, storeEvents } from '../support/stored-events.ts';
import { emptyConfig, load, valuesOf } from '../support/stored-run.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { warningLog } from '../support/warning-log.ts';
import { january, storeAnswer, type Posts } from './stored-answer.ts';

const full = { likeCount: 10, commentCount: 2, shareCount: 1, impressionCount: 1000 };
const impressions = (impressionCount: number) => ({ ...full, impressionCount });
const linked = (id: string) => ({
  servicePost: { id, title: 'T', labels: [], campaign: null },
});
const sameAddress = { url: 'https://www.linkedin.com/feed/update/urn:li:share:7' };
const known = { a: full, b: full, c: full };
const hundred = Object.fromEntries(Array.from({ length: 100 }, (_, nth) => [`h${nth}`, full]));
const at = (day: string) => `${day}T06:00:00.000Z`;
const fall: [string, Posts][] = [
  ['2026-01-20', { a: full }],
  ['2026-01-21', { a: impressions(0) }],
  ['2026-01-22', { a: impressions(10) }],
];
const fallen = ['metric_drop', 'impression_count', '2026-01-20', '2026-01-21'];
const absent = (posts: number, day: string) => [
  ...['absent_posts', null, '2026-01-10', '2026-01-10', null, null, posts, at(day)],
];
const drop = [...fallen, 1000, 0, 1, at('2026-01-21')];
const video = { ...full, type: 'Video', videoViewCount: 500, videoViewerCount: 400 };
const old = { ...full, publishedAt: '2025-01-20T12:00:00Z' };
const gradually = [0, 1, 2, 3, 4].map((nth): [string, Posts] => [
  `2026-01-${20 + nth}`,
  { a: impressions(Math.round(1000 * 0.7 ** nth)) },
]);

/** What is told of a profile, by the answers about it: kind, metric, days, before, after, posts, time. */
const cases: [what: string, answers: [string, Posts, typeof january?][], told: unknown[][]][] = [
  [
    'a count that falls to half or less in sum, with the days, the sums and how many posts it is about',
    [
      ['2026-01-20', { a: full, b: full }],
      ['2026-01-21', { a: impressions(400), b: full }],
      ['2026-01-22', { a: impressions(300), b: impressions(390), new: full }],
    ],
    [
      [
        'metric_drop',
        'impression_count',
        '2026-01-21',
        '2026-01-22',
        1400,
        690,
        2,
        at('2026-01-22'),
      ],
    ],
  ],
  [
    'not one that falls to more than half',
    [
      ['2026-01-20', { a: full, b: full }],
      ['2026-01-21', { a: impressions(400), b: full }],
    ],
    [],
  ],
  [
    'one of a sum of 100, by the last reading of a day',
    [
      ['2026-01-20', { a: { ...full, likeCount: 100 } }],
      ['2026-01-21T05', { a: { ...full, likeCount: 0 } }],
      ['2026-01-21', { a: { ...full, likeCount: 50 } }],
    ],
    [['metric_drop', 'like_count', '2026-01-20', '2026-01-21', 100, 50, 1, at('2026-01-21')]],
  ],
  ['one that is not back yet', fall, [drop]],
  [
    'not one whose figures are back',
    [
      ['2026-01-20', { a: full }],
      ['2026-01-21', { a: impressions(0) }],
      ['2026-01-22', { a: impressions(501) }],
    ],
    [],
  ],
  [
    'one for 30 days of readings',
    [...fall, ['2026-02-19', { b: full }]],
    [absent(1, '2026-02-19'), drop],
  ],
  ['and no longer', [...fall, ['2026-02-20', { b: full }]], [absent(1, '2026-02-20')]],
  [
    'not restatements, what has expired, removed posts and those older than a year',
    [
      ['2026-01-20', { video, old, linked: { ...full, ...linked('restated') } }],
      [
        '2026-01-21',
        {
          video: { ...video, likeCount: -1, impressionCount: 960, videoViewCount: null },
          old: { ...old, impressionCount: 3 },
          linked: { ...impressions(0), ...linked('restated') },
        },
      ],
    ],
    [['outside_dates', null, '2026-01-01', '2026-01-30', null, null, 1, at('2026-01-21')]],
  ],
  ['not what is lost little by little', gradually, []],
  [
    'what is lost on a single day, but not of small sums',
    [
      ...gradually.slice(0, 4),
      ['2026-01-24', { a: { ...impressions(240), likeCount: 60 } }],
      ['2026-01-25', { a: { ...impressions(20), likeCount: 0 } }],
    ],
    [['metric_drop', 'impression_count', '2026-01-24', '2026-01-25', 240, 20, 1, at('2026-01-25')]],
  ],
  [
    'an answer without a post about days of which posts are known, with how many',
    [
      ['2026-02-01', known],
      ['2026-02-02', {}],
    ],
    [['empty_window', null, '2026-01-01', '2026-01-30', 3, 0, 3, at('2026-02-02')]],
  ],
  [
    'not once an answer has had these posts',
    [
      ['2026-02-01', known],
      ['2026-02-02', {}],
      ['2026-02-03', known],
    ],
    [],
  ],
  [
    'nor once an answer about other days has had them',
    [
      ['2026-02-01', known],
      ['2026-02-02', {}],
      ['2026-02-03', known, { start_date: '2026-01-01', end_date: '2026-02-03' }],
    ],
    [],
  ],
  [
    'few posts as absent, and no removed ones',
    [
      ['2026-02-01', { a: full, b: full, c: { ...full, ...linked('absent') } }],
      ['2026-02-02', {}],
    ],
    [absent(2, '2026-02-02')],
  ],
  [
    'nor a record that another one supersedes',
    [
      ['2026-02-01', { a: { ...full, ...sameAddress }, b: full }],
      ['2026-02-02T05', { b: full, c: { ...full, ...sameAddress } }],
      ['2026-02-02', {}],
    ],
    [
      absent(2, '2026-02-02'),
      [
        ...['superseded_records', null, '2026-01-10', '2026-01-10', null, null, 1],
        '2026-02-02T05:00:00.000Z',
      ],
    ],
  ],
  [
    'no posts of an answer with a record that names no post, nor those of other days',
    [
      ['2026-02-01', known],
      ['2026-02-02', { a: { ...full, id: 7 }, b: full }],
      ['2026-02-03', {}, { start_date: '2025-12-01', end_date: '2025-12-30' }],
    ],
    [],
  ],
  [
    'an answer for a single day with a round number of posts, which may be cut off',
    [['2026-02-01', hundred, { start_date: '2026-01-10', end_date: '2026-01-10' }]],
    [['cut_off_answer', null, '2026-01-10', '2026-01-10', null, null, 100, at('2026-02-01')]],
  ],
  [
    'posts of other days, too few to say that the dates were ignored',
    [['2026-02-01', { ...known, d: { ...full, publishedAt: '1970-01-01T00:00:00Z' } }]],
    [['outside_dates', null, '2026-01-01', '2026-01-30', null, null, 1, at('2026-02-01')]],
  ],
];

describe('a warning tells', () => {
  const folder = sharedFolder();
  let told: DatabaseValue[][];
  const profileOf = (index: number) =>
    `${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`;

  beforeAll(async () => {
    const config = await emptyConfig({}, await folder());
    for (const [index, [, answers]] of cases.entries()) {
      const profile = profileOf(index);
      for (const [time, posts, window = january] of answers)
        await storeAnswer(config, time.padEnd(13, 'T06'), posts, { profile, window });
    }
    await storeEvents(config, [
      deletionEvent({ id: 'restated' }),
      deletionEvent({ id: 'absent', deletedAt: '2026-02-01T09:00:00Z' }),
    ]);
    await load(config);
    told = await valuesOf(
      config,
      `select profile_id, kind, metric, start_date, end_date, before, after, posts, seen_at
       from data_warnings order by all`,
    );
  });

  const toldOf = (index: number) =>
    told.flatMap(([profile, ...row]) => (profile === profileOf(index) ? [row] : []));

  test.each(cases.map(([what, , expected], index) => [what, index, expected] as const))(
    '%s',
    (_, index, expected) => {
      expect(toldOf(index)).toEqual(expected);
    },
  );
});

test('a load tells once what it has brought, a line for each profile and kind, and the status as long as it holds', async () => {
  const config = await emptyConfig();
  const { warnings, log } = warningLog();
  const read = async (day: string, posts: Posts, window = january) => {
    await storeAnswer(config, `${day}T06`, posts, { window });
    await load(config, { log });
  };
  const fallen = { ...full, likeCount: 0, impressionCount: 380 };
  const many = { ...full, likeCount: 50 };
  await read('2026-01-20', { a: many, b: many, c: many });
  expect(warnings).toEqual([]);
  await read('2026-01-21', { a: fallen, b: fallen, c: fallen });
  const told = { workspace: 'acme', profile: 'Acme', kind: 'metric_drop' };
  const text =
    'impressions of Acme fell by 62% on 21 January 2026, from 3,000 to 1,140 in 3 posts; ' +
    'likes of Acme fell by 100% on 21 January 2026, from 150 to 0 in 3 posts';
  const advice =
    '; it was loaded as it came, since it may be true: docs/failures.md says what to do';
  expect(warnings).toEqual([[told, text + advice]]);
  await read(
    '2026-01-21',
    { a: fallen, b: fallen, c: fallen },
    { ...january, end_date: '2026-01-29' },
  );
  await read('2026-01-22', { a: fallen, b: fallen, c: fallen });
  expect(warnings).toHaveLength(1);
  const status = await readStatus(config, new ManualClock('2026-01-23T12:00:00Z'));
  expect(verdictsOf(status.open_problems, false).warning).toEqual([`acme/Acme: ${text}`]);
  await read('2026-01-23', known);
  await read('2026-01-24', {});
  const empty =
    'no posts of Acme returned for 1 January 2026 to 30 January 2026, where 3 are known';
  expect(warnings.slice(1)).toEqual([[{ ...told, kind: 'empty_window' }, empty + advice]]);
  await read('2026-01-25', known);
  await read('2026-01-26', { a: full, b: full });
  const absent =
    '1 post of Acme no longer in the responses for 10 January 2026, counted as last read';
  expect(warnings.slice(2)).toEqual([[{ ...told, kind: 'absent_posts' }, absent + advice]]);
});
