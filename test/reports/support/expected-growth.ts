import { addDays, daysBetween, type Day } from '../../../src/core/calendar.ts';
import { quantile } from './audience-posts.ts';
import { localParts, sum } from './expected-figures.ts';
import { historyZone } from './growth-history.ts';
import { readingAt, type FigureName, type KnownFigures, type KnownPost } from './known-history.ts';

type Figures = Record<string, number | string | null>;

const added = ['impressions', 'engagements', 'emv', 'views'] as const;
const ages = [1, 2, 3, 7, 14, 30, 60];

/** Every figure of the report on growth computed again, reading by reading, without SQL. */
export function expectedGrowth(
  posts: readonly KnownPost[],
  { finalDay = 30, minimum = 10 } = {},
): Record<string, Figures[]> {
  return {
    by_day: byDay(posts),
    by_age: byAge(posts, minimum),
    first_days: byAge(posts, minimum)
      .filter(({ age_from }) => Number(age_from) <= 30)
      .map(({ age_from = null, median_impressions = null }) => ({
        age: age_from,
        median_impressions,
      })),
    maturity: maturity(posts, finalDay, minimum),
    cohorts: cohorts(posts),
    posts: posts.map((post) => postFigures(post, newestDay(posts))),
    left_out: leftOut(posts),
    summary: [summary(posts)],
  };
}

function sums(all: readonly KnownFigures[], suffix = ''): Figures {
  return Object.fromEntries(
    added.map((name) => [`${name}${suffix}`, sum(all.map((figures) => figures[name]))]),
  );
}

function daysRead(posts: readonly KnownPost[]): Day[] {
  return [...new Set(posts.flatMap(({ readings }) => readings.map(({ day }) => day)))].sort();
}

function newestDay(posts: readonly KnownPost[]): Day {
  return daysRead(posts).at(-1) ?? '';
}

function byDay(posts: readonly KnownPost[]): Figures[] {
  const [first = '', ...rest] = daysRead(posts);
  const increments = posts.flatMap((post) => post.increments);
  const all = rest.length === 0 ? [] : spanOf(addDays(first, 1), rest.at(-1) ?? first);
  return all.map((day) => {
    const own = increments.filter((increment) => increment.day === day);
    const single = own.filter(({ days }) => days === 1);
    const longer = own.filter(({ days }) => days > 1);
    return {
      captured_on: day,
      posts: single.length,
      ...sums(single.map(({ figures }) => figures)),
      posts_read: posts.filter(({ readings }) => readings.some((one) => one.day === day)).length,
      posts_over_days: longer.length,
      longest_days: longer.length === 0 ? null : Math.max(...longer.map(({ days }) => days)),
      ...sums(
        longer.map(({ figures }) => figures),
        '_over_days',
      ),
    };
  });
}

function spanOf(from: Day, to: Day): Day[] {
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, offset) => addDays(from, offset));
}

const ageGroups = [
  ...Array.from({ length: 30 }, (_, index) => ({ from: index + 1, after: index, to: index + 1 })),
  { from: 31, after: 30, to: 60 },
  { from: 61, after: 60, to: 90 },
  { from: 91, after: 90, to: Infinity },
];

interface Gain {
  readonly id: string;
  readonly days: number;
  readonly figures: KnownFigures;
}

function byAge(posts: readonly KnownPost[], minimum: number): Figures[] {
  const born: Gain[] = posts.flatMap(({ post, readings }) =>
    readings
      .filter(({ age }) => age === 0)
      .map(({ figures }) => ({ id: post.id, days: 1, figures })),
  );
  const groups = ageGroups.map(({ from, after, to }) => ({
    from,
    gains: posts.flatMap(({ post, increments }) =>
      increments
        .filter(({ age, days }) => age !== null && age - days >= after && age <= to)
        .map(({ days, figures }): Gain => ({ id: post.id, days, figures })),
    ),
  }));
  return [{ from: 0, gains: born }, ...groups]
    .filter(({ gains }) => gains.length > 0)
    .map(({ from, gains }) => ({
      age_from: from,
      posts: new Set(gains.map(({ id }) => id)).size,
      ...sums(gains.map(({ figures }) => figures)),
      ...medians(gains, minimum),
    }));
}

function medians(gains: readonly Gain[], minimum: number): Figures {
  return Object.fromEntries(
    (['impressions', 'engagements', 'emv'] as const).map((name) => {
      const known = gains.filter(({ figures }) => figures[name] !== null);
      const isEnough = new Set(known.map(({ id }) => id)).size >= minimum;
      const rates = known.map(({ figures, days }) => (figures[name] ?? 0) / days);
      return [`median_${name}`, isEnough ? quantile(rates, 0.5) : null];
    }),
  );
}

function maturity(posts: readonly KnownPost[], finalDay: number, minimum: number): Figures[] {
  const metrics: [string, FigureName][] = [
    ['Impressions', 'impressions'],
    ['Engagements', 'engagements'],
    ['EMV', 'emv'],
    ['Video views', 'views'],
  ];
  return metrics.flatMap(([metric, name]) =>
    ages
      .filter((age) => age < finalDay)
      .flatMap((age) => {
        const pairs = posts.flatMap((post) => pairOf(post, name, age, finalDay));
        if (pairs.length === 0) return [];
        const shares = pairs.flatMap(({ early, final }) => (final === 0 ? [] : [early / final]));
        const final = sum(pairs.map((pair) => pair.final)) ?? 0;
        const early = sum(pairs.map((pair) => pair.early)) ?? 0;
        const of = (share: number) => (shares.length >= minimum ? quantile(shares, share) : null);
        return [
          {
            metric,
            age,
            posts: pairs.length,
            share: pairs.length >= minimum && final !== 0 ? early / final : null,
            p25: of(0.25),
            median: of(0.5),
            p75: of(0.75),
          },
        ];
      }),
  );
}

function pairOf(post: KnownPost, name: FigureName, age: number, finalDay: number) {
  const early = readingAt(post, age)?.figures[name] ?? null;
  const nearness = (one: number | null) => Math.abs((one ?? 0) - finalDay);
  const [last] = post.readings
    .filter((reading) => nearness(reading.age) <= 1)
    .toSorted((a, b) => nearness(a.age) - nearness(b.age) || Number(a.age) - Number(b.age));
  const final = last?.figures[name] ?? null;
  return early === null || final === null ? [] : [{ early, final }];
}

function cohorts(posts: readonly KnownPost[]): Figures[] {
  const monthOf = ({ post }: KnownPost) =>
    post.publishedAt === null
      ? ''
      : `${localParts(post.publishedAt, historyZone).day.slice(0, 7)}-01`;
  const months = [...new Set(posts.map(monthOf))].filter((month) => month !== '').sort();
  return months.map((month) => {
    const own = posts.filter((post) => monthOf(post) === month);
    return {
      month,
      posts: own.length,
      ...Object.assign({}, ...[1, 7, 30].map((age) => cohortAt(own, age))),
      ...partOfDay30(own, 1),
      ...partOfDay30(own, 7),
    } as Figures;
  });
}

function cohortAt(posts: readonly KnownPost[], age: number): Figures {
  const of = (name: FigureName) => posts.map((post) => readingAt(post, age)?.figures[name] ?? null);
  return {
    [`posts_day_${age}`]: of('impressions').filter((value) => value !== null).length,
    [`impressions_day_${age}`]: sum(of('impressions')),
    [`emv_day_${age}`]: sum(of('emv')),
    [`posts_emv_day_${age}`]: of('emv').filter((value) => value !== null).length,
  };
}

function partOfDay30(posts: readonly KnownPost[], age: number): Figures {
  const pairs = posts.flatMap((post) => {
    const early = readingAt(post, age)?.figures.impressions ?? null;
    const late = readingAt(post, 30)?.figures.impressions ?? null;
    return early === null || late === null ? [] : [{ early, late }];
  });
  const late = sum(pairs.map((pair) => pair.late)) ?? 0;
  return {
    [`posts_day_${age}_and_30`]: pairs.length,
    [`day_${age}_of_30`]: late === 0 ? null : (sum(pairs.map(({ early }) => early)) ?? 0) / late,
  };
}

function postFigures(known: KnownPost, newest: Day): Figures {
  const { post, readings } = known;
  const now = readings.findLast(({ day }) => day >= addDays(newest, -1));
  const before = [-7, -8, -6]
    .map((offset) => readings.find(({ day }) => day === addDays(now?.day ?? newest, offset)))
    .find((reading) => reading !== undefined);
  const gained = (name: FigureName) => {
    const [a, b] = [now?.figures[name] ?? null, before?.figures[name] ?? null];
    return a === null || b === null ? null : a - b;
  };
  const at = (age: number) => readingAt(known, age)?.figures.impressions ?? null;
  return {
    linkedin_post_id: post.id,
    impressions: readings.at(-1)?.figures.impressions ?? null,
    impressions_7_days: gained('impressions'),
    engagements_7_days: gained('engagements'),
    emv_7_days: gained('emv'),
    impressions_day_1: at(1),
    impressions_day_7: at(7),
    impressions_day_30: at(30),
    first_read_age: readings[0]?.age ?? null,
    readings: readings.length,
    last_read_on: readings.at(-1)?.day ?? null,
  };
}

function leftOut(posts: readonly KnownPost[]): Figures[] {
  const week = addDays(newestDay(posts), -7);
  const isInAge = (age: number, days: number) =>
    ageGroups.some(({ after, to }) => age - days >= after && age <= to);
  const firstAge = ({ readings }: KnownPost) => readings[0]?.age ?? null;
  const reasons: [string, (post: KnownPost) => boolean][] = [
    ['No readings', ({ readings }) => readings.length === 0],
    ['Single reading', ({ readings }) => readings.length === 1],
    ['First read more than 7 days after publication', (post) => (firstAge(post) ?? 0) > 7],
    [
      'First read 2 to 7 days after publication',
      (post) => [2, 3, 4, 5, 6, 7].includes(firstAge(post) ?? -1),
    ],
    ['No time of publication', ({ post }) => post.publishedAt === null],
    ['Not read every day', ({ increments }) => increments.some(({ days }) => days > 1)],
    [
      'Increments that span two age groups',
      ({ increments }) => increments.some(({ age, days }) => age !== null && !isInAge(age, days)),
    ],
    [
      'Not read in the last 7 days',
      ({ readings }) => readings.length > 0 && (readings.at(-1)?.day ?? '') < week,
    ],
  ];
  return reasons
    .map(([reason, isLeftOut]) => ({ reason, posts: posts.filter(isLeftOut).length }))
    .filter((row) => row.posts > 0)
    .map((row) => ({ ...row, posts_share: row.posts / posts.length }));
}

function summary(posts: readonly KnownPost[]): Figures {
  const days = daysRead(posts);
  const read = posts.filter(({ readings }) => readings.length > 0);
  const firstAges = read.flatMap(({ readings }) => readings[0]?.age ?? []);
  const [first = null, last = null] = [days[0], days.at(-1)];
  const gained = sums(posts.flatMap(({ increments }) => increments.map(({ figures }) => figures)));
  return {
    posts: posts.length,
    posts_read: read.length,
    posts_read_again: posts.filter(({ readings }) => readings.length > 1).length,
    posts_read_from_day_1: firstAges.filter((age) => age <= 1).length,
    median_first_age: firstAges.length >= 10 ? quantile(firstAges, 0.5) : null,
    readings: sum(posts.map(({ readings }) => readings.length)),
    days_read: days.length,
    days_not_read:
      first === null || last === null ? null : daysBetween(first, last) + 1 - days.length,
    first_read_on: first,
    last_read_on: last,
    impressions_added: gained['impressions'] ?? null,
    engagements_added: gained['engagements'] ?? null,
    emv_added: gained['emv'] ?? null,
    views_added: gained['views'] ?? null,
    removed_posts: 0,
  };
}
