import { generatedProfiles, type GeneratedPost } from '../../report/support/generated-rows.ts';
import { quantile } from './audience-posts.ts';

// Figures of posts are computed again here, post by post, without SQL.

export interface Expectation {
  readonly timezone: string;
  readonly cpm: number | null;
  readonly removed: 'exclude' | 'include' | 'only';
  readonly from: string | null;
  readonly to: string | null;
}

type Posts = readonly GeneratedPost[];
type Value = number | string | boolean | null;

/** The posts of a row, of a section, or of a report. */
export interface Counted {
  /** The posts that its figures add up. */
  readonly posts: Posts;
  /** These and the removed ones that the report leaves out. */
  readonly all: Posts;
  /** Those of the period before; null where nothing is compared. */
  readonly previous?: Posts | null;
}

/** The columns that say of which posts a row is; null where the test does not know what they mean. */
export function groupColumns(
  columns: readonly string[],
  key: readonly string[],
): readonly string[] | null {
  // the rows of a list of posts are posts, whatever they are listed by
  const isOfPosts = columns.includes('linkedin_post_id');
  const named = isOfPosts ? ['workspace', 'linkedin_post_id'] : key;
  const isOfProfiles = !isOfPosts && columns.includes('profile_id');
  const found = isOfProfiles
    ? [...named.filter((column) => column !== 'profile'), 'workspace', 'profile_id']
    : named;
  return found.every((column) => column in groupsByKey) ? [...new Set(found)] : null;
}

/** The groups of a post by each of the columns. */
export function groupsOf(
  post: GeneratedPost,
  columns: readonly string[],
  { timezone }: Expectation,
): Readonly<Record<string, readonly Value[]>> {
  return Object.fromEntries(
    columns.map((column) => [column, groupsByKey[column]?.(post, timezone) ?? []]),
  );
}

/** The groups of a post by the column that names them. A post without a time has no weekday and no hour. */
const groupsByKey: Readonly<Record<string, (post: GeneratedPost, timezone: string) => Value[]>> = {
  workspace: ({ workspace }) => [workspace],
  profile_id: ({ profileId }) => [profileId],
  linkedin_post_id: ({ id }) => [id],
  type: ({ type }) => [type],
  campaign: ({ campaign }) => [campaign ?? '(none)'],
  label: ({ labels }) => (labels.length === 0 ? ['(none)'] : labels.map(({ name }) => name)),
  month: ({ publishedAt }, timezone) => [firstDay(publishedAt, timezone)],
  week: ({ publishedAt }, timezone) => [publishedAt && mondayOf(publishedAt, timezone)],
  weekday: ({ publishedAt }, timezone) =>
    publishedAt === null ? [] : [localParts(publishedAt, timezone).weekday],
  hour: ({ publishedAt }, timezone) =>
    publishedAt === null ? [] : [localParts(publishedAt, timezone).hour],
  removed_month: ({ removedAt }, timezone) => [firstDay(removedAt, timezone)],
  removed_by: ({ removedBy }) => [removedBy ?? '(automatic)'],
  is_automatic: ({ removedBy }) => [removedBy === null],
};

/** The figures of a row by their column; those of other columns are not known here. */
export function expectedRow(
  columns: readonly string[],
  counted: Counted,
  whole: Posts,
  asked: Expectation,
): Record<string, Value> {
  const [post] = columns.includes('linkedin_post_id') ? counted.posts : [];
  const ofPost = post ? textsOf(post, asked) : {};
  const values = columns.flatMap((column): [string, Value][] => {
    const [, before] = /^previous_(\w+)$/.exec(column) ?? [];
    const { previous = null } = counted;
    const earlier = before === undefined ? undefined : figures[before];
    if (earlier && previous !== null)
      return [[column, earlier({ posts: previous, all: previous }, asked, whole)]];
    const figure = figures[column];
    if (column in ofPost) return [[column, ofPost[column] ?? null]];
    return figure ? [[column, figure(counted, asked, whole)]] : [];
  });
  return Object.fromEntries(values);
}

type Figure = (counted: Counted, asked: Expectation, whole: Posts) => number | null;
type Amount = (post: GeneratedPost, asked: Expectation) => number | null;

const views: Amount = (post) => post.views;
const viewers: Amount = (post) => post.viewers;
const seconds: Amount = (post) => post.watchSeconds;
const interactions: Amount = ({ counts }) => sum(Object.values(counts));

const sumOf =
  (amount: Amount): Figure =>
  ({ posts }, asked) =>
    sum(posts.map((post) => amount(post, asked)));
const ratioOf =
  (above: Amount, below: Amount, times = 1): Figure =>
  ({ posts }, asked) => {
    const value = ratio(
      posts,
      (post) => above(post, asked),
      (post) => below(post, asked),
    );
    return value === null ? null : value * times;
  };
const countOf =
  (isCounted: (post: GeneratedPost, asked: Expectation) => boolean): Figure =>
  ({ posts }, asked) =>
    posts.filter((post) => isCounted(post, asked)).length;
const ofRemoved =
  (figure: Figure): Figure =>
  ({ all }, asked, whole) =>
    figure({ posts: all.filter(({ removedAt }) => removedAt !== null), all }, asked, whole);

const posts = countOf(() => true);
const impressions = sumOf(impressionsOf);
const engagements = sumOf(engagementsOf);
const emv = sumOf(emvOf);

const figures: Readonly<Record<string, Figure>> = {
  posts,
  impressions,
  engagements,
  engagement_rate: ratioOf(engagementsOf, impressionsOf),
  rate: ratioOf(engagementsOf, impressionsOf),
  interactions: sumOf(interactions),
  likes: sumOf(({ counts }) => counts.like),
  comments: sumOf(({ counts }) => counts.comment),
  shares: sumOf(({ counts }) => counts.share),
  clicks: sumOf(({ counts }) => counts.click),
  saves: sumOf(({ counts }) => counts.save),
  sends: sumOf(({ counts }) => counts.send),
  emv,
  effective_cpm: ratioOf(emvOf, impressionsOf, 1000),
  emv_share: (counted, asked, whole) => {
    const [own, total] = [
      emv(counted, asked, whole),
      emv({ posts: whole, all: whole }, asked, whole),
    ];
    return own === null || !total ? null : own / total;
  },
  emv_per_post: (counted, asked, whole) => {
    const known = counted.posts.filter((post) => emvOf(post, asked) !== null).length;
    const total = emv(counted, asked, whole);
    return total === null ? null : total / known;
  },
  median_emv: (counted, asked) => {
    const known = counted.posts.flatMap((post) => emvOf(post, asked) ?? []);
    return known.length < 10 ? null : quantile(known, 0.5);
  },
  posts_with_emv: countOf((post, asked) => emvOf(post, asked) !== null),
  posts_without_emv: countOf((post, asked) => emvOf(post, asked) === null),
  posts_without_engagement: countOf((post) => engagementsOf(post) === null),
  posts_without_impressions: countOf((post) => impressionsOf(post) === null),
  videos: countOf(({ type }) => type === 'Video'),
  videos_not_synced: countOf((post) => post.type === 'Video' && post.views === null),
  views: sumOf(views),
  viewers: sumOf(viewers),
  watch_time_seconds: sumOf(seconds),
  view_rate: ratioOf(views, impressionsOf),
  views_per_viewer: ratioOf(views, viewers),
  seconds_per_view: ratioOf(seconds, views),
  seconds_per_viewer: ratioOf(seconds, viewers),
  posts_total: ({ all }) => all.length,
  emv_total: ({ all }, asked, whole) => emv({ posts: all, all }, asked, whole),
  removed_posts: ofRemoved(posts),
  removed_impressions: ofRemoved(impressions),
  removed_engagements: ofRemoved(engagements),
  removed_emv: ofRemoved(emv),
  removed_views: ofRemoved(sumOf(views)),
};

/** What is not a figure of a post. */
function textsOf(post: GeneratedPost, asked: Expectation): Readonly<Record<string, Value>> {
  return {
    workspace: post.workspace,
    profile: profileOf(post).profile,
    commentary: post.commentary,
    type: post.type,
    campaign: post.campaign,
    is_removed: post.removedAt !== null,
    engagement: post.engagement,
    emv_source: sourceOf(post, asked),
    video_view_count: post.views,
    video_viewer_count: post.viewers,
    video_watch_time_seconds: post.watchSeconds,
  };
}

export function isInPeriod(post: GeneratedPost, { from, to, timezone }: Expectation): boolean {
  if (from === null && to === null) return true;
  if (post.publishedAt === null) return false;
  const day = localParts(post.publishedAt, timezone).day;
  return (from === null || day >= from) && (to === null || day <= to);
}

function profileOf(post: GeneratedPost): {
  workspace: string;
  profile: string;
  profile_id: string;
} {
  const profile = generatedProfiles.find(
    (known) => known.workspace === post.workspace && known.profile_id === post.profileId,
  );
  return { workspace: post.workspace, profile: profile?.name ?? '', profile_id: post.profileId };
}

export function impressionsOf(post: GeneratedPost): number | null {
  return post.impressions;
}

export function engagementsOf(post: GeneratedPost): number | null {
  if (post.engagement === null || post.impressions === null) return null;
  return post.engagement * post.impressions;
}

export function emvOf(post: GeneratedPost, { cpm }: Expectation): number | null {
  if (cpm !== null) return post.impressions === null ? null : (post.impressions * cpm) / 1000;
  return post.apiEmv ?? byProfileCpm(post);
}

function byProfileCpm(post: GeneratedPost): number | null {
  const cpm = generatedProfiles.find(
    (known) => known.workspace === post.workspace && known.profile_id === post.profileId,
  )?.cpm;
  if (cpm === null || cpm === undefined || post.impressions === null) return null;
  return (post.impressions * cpm) / 1000;
}

function sourceOf(post: GeneratedPost, asked: Expectation): string | null {
  if (emvOf(post, asked) === null) return null;
  if (asked.cpm !== null) return 'cpm';
  return post.apiEmv === null ? 'profile_cpm' : 'api';
}

export function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}

export function ratio(
  posts: readonly GeneratedPost[],
  above: (post: GeneratedPost) => number | null,
  below: (post: GeneratedPost) => number | null,
): number | null {
  const both = posts.filter((post) => above(post) !== null && below(post) !== null);
  const lower = sum(both.map(below));
  const upper = sum(both.map(above));
  return lower === null || upper === null || lower === 0 ? null : upper / lower;
}

function firstDay(instant: string | null, timezone: string): string | null {
  return instant && `${localParts(instant, timezone).day.slice(0, 7)}-01`;
}

function mondayOf(instant: string, timezone: string): string {
  const { day, weekday } = localParts(instant, timezone);
  const monday = Date.parse(day) - (weekday - 1) * 86_400_000;
  return new Date(monday).toISOString().slice(0, 10);
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** By time zone: making one takes many times as long as using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const formatter =
    formatters.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      hourCycle: 'h23',
      weekday: 'short',
    });
  formatters.set(timeZone, formatter);
  return formatter;
}

type LocalParts = Readonly<Record<'day', string> & Record<'weekday' | 'hour', number>>;

/** By zone and instant: each post is asked for its day by every section and row. */
const known = new Map<string, LocalParts>();

export function localParts(instant: string, timeZone: string): LocalParts {
  const key = `${timeZone} ${instant}`;
  const found = known.get(key) ?? readParts(instant, timeZone);
  known.set(key, found);
  return found;
}

function readParts(instant: string, timeZone: string): LocalParts {
  const parts = formatterOf(timeZone).formatToParts(new Date(instant));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return {
    day: `${part('year')}-${part('month')}-${part('day')}`,
    weekday: weekdays.indexOf(part('weekday')) + 1,
    hour: Number(part('hour')),
  };
}
