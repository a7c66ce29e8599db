import { seededRandom } from '../report/support/generated-rows.ts';

/** One made-up post of the sample reports; figures are null where the service gave none. */
export interface SamplePost {
  readonly id: string;
  readonly profile: string;
  readonly type: string;
  readonly title: string | null;
  readonly commentary: string;
  /** ISO 8601 in UTC. */
  readonly publishedAt: string;
  readonly campaign: string | null;
  readonly labels: readonly string[];
  readonly impressions: number | null;
  readonly cpm: number;
  readonly engagements: number | null;
}

const profiles = [
  { name: 'Anna Lindqvist', weight: 82, reach: 1.9 },
  { name: 'Halden Grid', weight: 139, reach: 1 },
  { name: 'Tomasz Bielak', weight: 66, reach: 0.65 },
  { name: 'Halden Careers', weight: 82, reach: 0.45 },
  { name: 'Mariam Haddad', weight: 43, reach: 0.4 },
] as const;

const types = [
  { name: 'Image', weight: 172, reach: 0.8, rate: 0.046 },
  { name: 'Video', weight: 66, reach: 1.7, rate: 0.036 },
  { name: 'Text', weight: 65, reach: 0.7, rate: 0.05 },
  { name: 'Article', weight: 56, reach: 0.7, rate: 0.029 },
  { name: 'Document', weight: 37, reach: 1.2, rate: 0.061 },
  { name: 'Poll', weight: 10, reach: 1.1, rate: 0.033 },
] as const;

const campaigns = ['Heat pump myths', 'Apprentices 25', 'Annual report', 'Grid Summit'] as const;
const labels = [
  'Event',
  'Customer story',
  'Hiring',
  'Thought leadership',
  'Behind the scenes',
  'Product',
  'Award',
] as const;

/** Text, profile, type, day and impressions of the posts that lead and end the design's table. */
const known: readonly (readonly [string, string, string, string, number | null])[] = [
  [
    'We buried 41 km of cable under the fjord this spring, and nobody noticed. That was the point. Here is what the crew learned about currents, patience and the one bolt that nobody had ordered.\n\nThe whole log is in the comments.',
    'Anna Lindqvist',
    'Video',
    '2025-09-17T06:12:00Z',
    276_033,
  ],
  [
    'Three myths about heat pumps that cost households money every winter, and the numbers from 1,200 homes that we measured ourselves',
    'Anna Lindqvist',
    'Image',
    '2025-10-20T07:30:00Z',
    52_676,
  ],
  [
    '“Why would anyone leave software for substations?” Eleven months in, our newest control-room engineer answers',
    'Anna Lindqvist',
    'Video',
    '2025-09-12T06:02:00Z',
    44_123,
  ],
  [
    'Apprenticeships for 2026 are open: 38 places, four towns, paid from day one. Tell someone who is good with their hands',
    'Tomasz Bielak',
    'Video',
    '2025-10-27T12:45:00Z',
    34_958,
  ],
  [
    'At 02:14 on Sunday a line went down near Sarpsborg. At 02:31 everyone had power again. A thread on seventeen minutes',
    'Anna Lindqvist',
    'Poll',
    '2025-09-15T09:00:00Z',
    33_880,
  ],
  [
    'Our annual report in nine charts, including the two that we would rather not show',
    'Anna Lindqvist',
    'Video',
    '2025-04-11T07:00:00Z',
    38_050,
  ],
  [
    'What a grid operator actually does on the windiest day of the year (short video, sound off works)',
    'Halden Grid',
    'Article',
    '2025-03-19T08:20:00Z',
    37_359,
  ],
  [
    'Meet Ingrid, who has climbed every pylon between Halden and Moss, twice, and still likes the view 🧗‍♀️',
    'Anna Lindqvist',
    'Image',
    '2025-05-16T10:10:00Z',
    37_179,
  ],
  ['Please note our new postal address', 'Mariam Haddad', 'Article', '2025-03-03T13:00:00Z', 225],
  ['Minutes of the supplier day are online', 'Mariam Haddad', 'Image', '2025-07-24T09:00:00Z', 181],
  ['=Survey: one question, ten seconds', 'Tomasz Bielak', 'Image', '2025-05-02T11:00:00Z', 119],
  [
    'Reposting: opening hours of the visitor centre over the holidays',
    'Halden Careers',
    'Video',
    '2025-06-17T08:00:00Z',
    null,
  ],
  ['Thank you to everyone who came', 'Anna Lindqvist', 'Text', '2025-02-06T15:00:00Z', null],
];

const openings = [
  'Two hundred metres of trench, one stubborn boulder',
  'What we measured in the first cold week',
  'A substation is a neighbour too',
  'Questions from the town hall in Moss, answered one by one',
  'Why the meter reads differently at night',
  'نحن نعمل على الشبكة الجديدة في هالدن', // right to left, so that every renderer meets it
  'Five things that apprentices ask on day one',
  '𝗡𝗲𝘄: the map of planned outages',
] as const;

/** Publication slots in UTC that weigh more; the rest of the week is sparse. */
const hours = [6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 10, 10, 11, 11, 12, 13, 13, 14, 15, 16] as const;
const monthWeights = [30, 26, 34, 31, 40, 36, 24, 22, 52, 47, 38, 32] as const;

/** A year of five profiles: 412 posts of 2025, the same on every call, newest figures last known. */
export function samplePosts(count = 412): SamplePost[] {
  const random = seededRandom(20_250_101);
  const first = known.slice(0, count).map((post, index) => knownPost(post, index));
  const rest = Array.from({ length: Math.max(0, count - known.length) }, (_, index) =>
    madeUpPost(index + known.length, random),
  );
  return [...first, ...rest].sort(
    (a, b) => (emvOf(b) ?? -1) - (emvOf(a) ?? -1) || a.id.localeCompare(b.id),
  );
}

/** Impressions / 1000 × CPM, to the cent. */
export function emvOf(post: SamplePost): number | null {
  return post.impressions === null ? null : Math.round((post.impressions * post.cpm) / 10) / 100;
}

function knownPost(
  [commentary, profile, type, publishedAt, impressions]: (typeof known)[number],
  index: number,
): SamplePost {
  return {
    id: postId(index),
    profile,
    type,
    title: null,
    commentary,
    publishedAt,
    campaign: commentary.includes('heat pumps') ? campaigns[0] : null,
    labels: commentary.includes('Ingrid') ? [labels[4]] : [],
    impressions,
    cpm: publishedAt < '2025-09' ? 28 : 32,
    engagements: impressions === null ? null : Math.round(impressions * 0.042),
  };
}

function madeUpPost(index: number, random: () => number): SamplePost {
  const profile = pick(profiles, random);
  const type = pick(types, random);
  const publishedAt = publicationTime(random);
  const impressions = madeUpImpressions(profile.reach * type.reach, random);
  const isSynced = index % 103 !== 17;
  return {
    id: postId(index),
    profile: profile.name,
    type: type.name,
    title: index % 3 === 0 ? `Planned post ${index}` : null,
    commentary: `${openings[index % openings.length] ?? ''} (${index})\n\nMore in the comments. #grid`,
    publishedAt,
    campaign: random() < 0.4 ? (campaigns[Math.floor(random() * 4)] ?? null) : null,
    labels: madeUpLabels(random),
    impressions: isSynced ? impressions : null,
    cpm: publishedAt < '2025-09' ? 28 : 32,
    engagements: isSynced
      ? Math.round(impressions * type.rate * (0.5 + random() + hourLift(publishedAt)))
      : null,
  };
}

function madeUpImpressions(reach: number, random: () => number): number {
  const bell = random() + random() + random() + random() - 2;
  return Math.round(300 + 3_420 * reach * Math.exp(1.25 * bell));
}

function madeUpLabels(random: () => number): string[] {
  const first = random() < 0.6 ? labels[Math.floor(random() ** 1.5 * labels.length)] : undefined;
  const second = random() < 0.2 ? labels[Math.floor(random() * labels.length)] : undefined;
  return [...new Set([first, second])].filter((label) => label !== undefined).sort();
}

function publicationTime(random: () => number): string {
  const month = pick(
    monthWeights.map((weight, index) => ({ weight, month: index })),
    random,
  ).month;
  const day = Math.floor(random() * 28);
  const instant = new Date(Date.UTC(2025, month, 1 + day));
  const weekday = instant.getUTCDay();
  if ((weekday === 0 || weekday === 6) && random() < 0.85) {
    instant.setUTCDate(instant.getUTCDate() + (instant.getUTCDate() > 20 ? -3 : 3));
  }
  instant.setUTCHours(hours[Math.floor(random() * hours.length)] ?? 9, Math.floor(random() * 60));
  return instant.toISOString();
}

function hourLift(publishedAt: string): number {
  return publishedAt.slice(11, 13) === '06' ? 0.5 : 0;
}

function pick<Item extends { readonly weight: number }>(
  items: readonly Item[],
  random: () => number,
): Item {
  let rest = random() * items.reduce((sum, item) => sum + item.weight, 0);
  for (const item of items) {
    rest -= item.weight;
    if (rest <= 0) return item;
  }
  throw new RangeError('nothing to pick from');
}

function postId(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
}
