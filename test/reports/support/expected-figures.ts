import { generatedProfiles, type GeneratedPost } from '../../report/support/generated-rows.ts';

/** Every figure of emv, engagement and video computed again, post by post, without SQL. */
export type Figures = Readonly<Record<string, number | string | null>>;

export interface Expectation {
  readonly timezone: string;
  readonly cpm: number | null;
  readonly removed: 'exclude' | 'include' | 'only';
  readonly from: string | null;
  readonly to: string | null;
}

type Report = 'emv' | 'engagement' | 'video';

interface Group {
  readonly key: Figures;
  readonly posts: readonly GeneratedPost[];
}

/** The rows by section, without an order. */
export function expectedSections(
  report: Report,
  all: readonly GeneratedPost[],
  asked: Expectation,
): Record<string, Figures[]> {
  const covered = all.filter((post) => report !== 'video' || post.type === 'Video');
  const inPeriod = covered.filter((post) => isInPeriod(post, asked));
  const removed = inPeriod.filter((post) => post.removedAt !== null);
  const shown = inPeriod.filter((post) =>
    asked.removed === 'include' ? true : (post.removedAt !== null) === (asked.removed === 'only'),
  );
  const figures = figuresOf(report, shown, asked);
  const rows = (groups: readonly Group[]) =>
    groups.map(({ key, posts }) => ({ ...key, ...figures(posts) }));
  const summary = {
    ...without(figures(shown), 'emv_share'),
    removed_posts: removed.length,
    removed_emv: sum(removed.map((post) => emvOf(post, asked))),
    ...ownSummary(report, shown, removed, asked),
  };
  return {
    summary: [summary],
    by_month: rows(groupBy(shown, (post) => [{ month: monthOf(post, asked.timezone) }])),
    by_profile: rows(groupBy(shown, (post) => [profileOf(post)])),
    by_campaign: rows(groupBy(shown, (post) => [{ campaign: post.campaign ?? '(none)' }])),
    by_label: rows(groupBy(shown, (post) => labelNames(post).map((label) => ({ label })))),
    ...(report === 'video' ? {} : { by_type: rows(groupBy(shown, ({ type }) => [{ type }])) }),
    ...(report === 'engagement' ? { by_weekday_hour: slotRows(shown, asked) } : {}),
    posts: shown.map((post) => postRow(report, post, asked, figures)),
  };
}

/** The columns that only this report's summary has. */
function ownSummary(
  report: Report,
  shown: readonly GeneratedPost[],
  removed: readonly GeneratedPost[],
  asked: Expectation,
): Figures {
  if (report === 'emv') {
    return { posts_without_emv: shown.filter((post) => emvOf(post, asked) === null).length };
  }
  const removed_impressions = sum(removed.map(impressionsOf));
  if (report === 'video') {
    return { removed_impressions, removed_views: sum(removed.map((post) => post.views)) };
  }
  return { removed_impressions, removed_engagements: sum(removed.map(engagementsOf)) };
}

export function isInPeriod(post: GeneratedPost, { from, to, timezone }: Expectation): boolean {
  if (from === null && to === null) return true;
  if (post.publishedAt === null) return false;
  const day = localParts(post.publishedAt, timezone).day;
  return (from === null || day >= from) && (to === null || day <= to);
}

function figuresOf(report: Report, shown: readonly GeneratedPost[], asked: Expectation) {
  if (report === 'engagement') return engagementFigures;
  if (report === 'video') return videoFigures;
  const total = sum(shown.map((post) => emvOf(post, asked)));
  return (posts: readonly GeneratedPost[]): Figures => emvFigures(posts, asked, total);
}

function emvFigures(
  posts: readonly GeneratedPost[],
  asked: Expectation,
  total: number | null,
): Figures {
  const emv = sum(posts.map((post) => emvOf(post, asked)));
  const cpm = ratio(posts, (post) => emvOf(post, asked), impressionsOf);
  return {
    posts: posts.length,
    impressions: sum(posts.map(impressionsOf)),
    emv,
    effective_cpm: cpm === null ? null : cpm * 1000,
    emv_share: emv === null || total === null || total === 0 ? null : emv / total,
  };
}

function without(figures: Figures, ...names: string[]): Figures {
  return Object.fromEntries(Object.entries(figures).filter(([name]) => !names.includes(name)));
}

function only(figures: Figures, ...names: string[]): Figures {
  return Object.fromEntries(Object.entries(figures).filter(([name]) => names.includes(name)));
}

function engagementFigures(posts: readonly GeneratedPost[]): Figures {
  const total = (of: (post: GeneratedPost) => number | null) => sum(posts.map(of));
  return {
    posts: posts.length,
    impressions: total(impressionsOf),
    engagements: total(engagementsOf),
    engagement_rate: ratio(posts, engagementsOf, impressionsOf),
    interactions: total((post) => sum(Object.values(post.counts))),
    likes: total((post) => post.counts.like),
    comments: total((post) => post.counts.comment),
    shares: total((post) => post.counts.share),
    clicks: total((post) => post.counts.click),
    saves: total((post) => post.counts.save),
    sends: total((post) => post.counts.send),
  };
}

function videoFigures(posts: readonly GeneratedPost[]): Figures {
  const total = (of: (post: GeneratedPost) => number | null) => sum(posts.map(of));
  const views = (post: GeneratedPost) => post.views;
  const viewers = (post: GeneratedPost) => post.viewers;
  const seconds = (post: GeneratedPost) => post.watchSeconds;
  return {
    videos: posts.length,
    videos_not_synced: posts.filter((post) => post.views === null).length,
    impressions: total(impressionsOf),
    views: total(views),
    viewers: total(viewers),
    watch_time_seconds: total(seconds),
    view_rate: ratio(posts, views, impressionsOf),
    views_per_viewer: ratio(posts, views, viewers),
    seconds_per_view: ratio(posts, seconds, views),
    seconds_per_viewer: ratio(posts, seconds, viewers),
  };
}

function slotRows(posts: readonly GeneratedPost[], { timezone }: Expectation): Figures[] {
  const slots = groupBy(posts, (post) => {
    if (post.publishedAt === null) return [];
    const { weekday, hour } = localParts(post.publishedAt, timezone);
    return [{ weekday, hour }];
  });
  return slots.map(({ key, posts: inSlot }) => ({
    ...key,
    ...only(engagementFigures(inSlot), 'posts', 'impressions', 'engagement_rate'),
  }));
}

function postRow(
  report: Report,
  post: GeneratedPost,
  asked: Expectation,
  figures: (posts: readonly GeneratedPost[]) => Figures,
): Figures {
  const own = {
    workspace: post.workspace,
    profile: profileOf(post).profile,
    linkedin_post_id: post.id,
    commentary: post.commentary,
    type: post.type,
    campaign: post.campaign,
    impressions: post.impressions,
  };
  if (report === 'emv') {
    return { ...own, ...without(figures([post]), 'posts'), emv_source: sourceOf(post, asked) };
  }
  if (report === 'engagement') {
    const counts = without(figures([post]), 'posts');
    return { ...own, ...counts, engagement: post.engagement };
  }
  return {
    ...own,
    video_view_count: post.views,
    video_viewer_count: post.viewers,
    video_watch_time_seconds: post.watchSeconds,
  };
}

function groupBy(
  posts: readonly GeneratedPost[],
  keysOf: (post: GeneratedPost) => readonly Figures[],
): Group[] {
  const groups = new Map<string, { key: Figures; posts: GeneratedPost[] }>();
  for (const post of posts) {
    for (const key of keysOf(post)) {
      const name = JSON.stringify(key);
      const group = groups.get(name) ?? { key, posts: [] };
      group.posts.push(post);
      groups.set(name, group);
    }
  }
  return [...groups.values()];
}

function labelNames(post: GeneratedPost): string[] {
  const names = [...new Set(post.labels.map((label) => label.name))];
  return names.length === 0 ? ['(none)'] : names;
}

export function profileOf(post: GeneratedPost): {
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

function monthOf(post: GeneratedPost, timezone: string): string | null {
  if (post.publishedAt === null) return null;
  return `${localParts(post.publishedAt, timezone).day.slice(0, 7)}-01`;
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

export function localParts(instant: string, timeZone: string) {
  const parts = formatterOf(timeZone).formatToParts(new Date(instant));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return {
    day: `${part('year')}-${part('month')}-${part('day')}`,
    weekday: weekdays.indexOf(part('weekday')) + 1,
    hour: Number(part('hour')),
  };
}
