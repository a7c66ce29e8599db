import type { WarehouseRows } from './report-warehouse.ts';

/** All warehouse values of a generated post in one record, for tests that compute figures independently. */
export interface GeneratedPost {
  readonly workspace: string;
  readonly profileId: string;
  readonly id: string;
  readonly type: string;
  readonly commentary: string | null;
  /** ISO 8601 in UTC. */
  readonly publishedAt: string | null;
  readonly counts: Readonly<
    Record<'like' | 'comment' | 'share' | 'click' | 'save' | 'send', number | null>
  >;
  readonly impressions: number | null;
  readonly engagement: number | null;
  readonly apiEmv: number | null;
  readonly views: number | null;
  readonly viewers: number | null;
  readonly watchSeconds: number | null;
  readonly campaign: string | null;
  /** Names; the labels with an id each may repeat one. */
  readonly labels: readonly { readonly id: string; readonly name: string }[];
  readonly removedAt: string | null;
  /** Null if the post was not removed, or not by a person. */
  readonly removedBy: string | null;
}

/** Two workspaces with a profile of the same id; two profiles of the same name; one CPM. */
export const generatedProfiles = [
  { workspace: 'acme', profile_id: 'p1', name: 'Acme', cpm: 30 },
  { workspace: 'acme', profile_id: 'p2', name: 'Mara Lind', cpm: null },
  { workspace: 'beta', profile_id: 'p1', name: 'Beta', cpm: null },
  { workspace: 'beta', profile_id: 'p3', name: 'Mara Lind', cpm: 12.5 },
];

const types = ['Text', 'Image', 'Video', 'Video', 'Document', 'Poll', 'MultiImage'];
const campaigns = [null, null, 'Spring', 'Heat pumps', 'Grid, "2026"'];
const labels = [
  { id: 'l1', name: 'Event' },
  { id: 'l2', name: 'Event' },
  { id: 'l3', name: 'Hiring' },
  { id: 'l4', name: 'Ærø' },
];

/** Posts with every kind of gap, spread over 14 months, among them some at the edges of days and months. */
export function generatePosts(count: number, seed = 7): GeneratedPost[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, index) => generatePost(index, random));
}

function generatePost(index: number, random: () => number): GeneratedPost {
  const pick = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] as Item;
  const maybe = <Value>(share: number, value: Value): Value | null =>
    random() < share ? value : null;
  const whole = (most: number): number => Math.floor(random() ** 3 * most);
  const profile = pick(generatedProfiles);
  const type = pick(types);
  const isVideo = type === 'Video' && random() < 0.8;
  const impressions = maybe(0.92, random() < 0.04 ? 0 : whole(60_000));
  return {
    workspace: profile.workspace,
    profileId: profile.profile_id,
    id: `post-${String(index).padStart(4, '0')}`,
    type,
    commentary: maybe(0.9, `Post ${String(index)}`),
    publishedAt: maybe(0.95, publishedAt(random, pick)),
    counts: {
      like: maybe(0.95, whole(400) - (random() < 0.05 ? 1 : 0)),
      comment: maybe(0.95, whole(60)),
      share: maybe(0.9, whole(30)),
      click: maybe(0.5, whole(900)),
      save: maybe(0.4, whole(50)),
      send: maybe(0.3, whole(20)),
    },
    impressions,
    engagement: maybe(0.9, random() * 0.2),
    apiEmv: maybe(0.6, Math.round(random() * 1e5) / 100),
    views: isVideo ? whole(20_000) : null,
    viewers: isVideo ? maybe(0.9, whole(15_000)) : null,
    watchSeconds: isVideo ? maybe(0.95, whole(300_000)) : null,
    campaign: pick(campaigns),
    labels: labels.filter(() => random() < 0.25),
    ...removal(index, random() < 0.06),
  };
}

const removalTimes = [
  '2025-06-30T21:59:59.000Z',
  '2025-06-30T22:00:00.000Z',
  '2025-12-31T23:30:00.000Z',
  '2026-02-10T12:00:00.000Z',
  '2026-02-28T23:30:00.000Z',
];
const deleters = [null, 'Anna Lindqvist', 'Åse "the broom" Næss'];

/** The removals: some at the edges of months, some before publication, some automatic. */
function removal(index: number, isRemoved: boolean) {
  if (!isRemoved) return { removedAt: null, removedBy: null };
  return {
    removedAt: removalTimes[index % removalTimes.length] ?? null,
    removedBy: deleters[index % deleters.length] ?? null,
  };
}

/** Removed posts without a LinkedIn post. */
const unlinkedRemovals = [
  { workspace: 'acme', post_id: 'draft-1', title: 'Draft', removed_at: '2026-01-05T10:00:00Z' },
  { workspace: 'beta', post_id: 'draft-1', title: 'Tweets', removed_at: '2026-01-06T10:00:00Z' },
];

function publishedAt(random: () => number, pick: <Item>(items: readonly Item[]) => Item): string {
  if (random() < 0.1) {
    return pick([
      '2025-08-31T22:30:00Z',
      '2025-08-31T21:59:59.999Z',
      '2025-10-26T00:30:00Z',
      '2025-10-26T01:30:00Z',
      '2025-12-31T23:00:00Z',
      '2026-01-31T22:59:59Z',
    ]);
  }
  return new Date(Date.UTC(2025, 0, 1) + Math.floor(random() * 420 * 86_400) * 1000).toISOString();
}

/** The same posts as rows of the warehouse. */
export function generatedRows(posts: readonly GeneratedPost[]): WarehouseRows {
  const campaignNames = [...new Set(posts.map((post) => post.campaign))].filter(
    (name) => name !== null,
  );
  const workspaces = ['acme', 'beta'];
  const linked = posts.filter(
    (post) => post.campaign !== null || post.labels.length > 0 || post.removedAt !== null,
  );
  return {
    profiles: generatedProfiles,
    linkedin_posts: posts.map((post) => linkedInRow(post, linked.includes(post))),
    posts: [
      ...linked.map((post) => ({
        workspace: post.workspace,
        post_id: `planned-${post.id}`,
        title: `Title of ${post.id}`,
        campaign_id: post.campaign === null ? null : `c-${post.campaign}`,
        removed_at: post.removedAt,
        removed_by: post.removedBy,
      })),
      ...unlinkedRemovals,
      { workspace: 'acme', post_id: 'draft-2', title: 'Not removed' },
    ],
    labels: workspaces.flatMap((workspace) =>
      labels.map(({ id, name }) => ({ workspace, label_id: id, name })),
    ),
    post_labels: linked.flatMap(({ workspace, id, labels: own }) =>
      own.map((label) => ({ workspace, post_id: `planned-${id}`, label_id: label.id })),
    ),
    campaigns: workspaces.flatMap((workspace) =>
      campaignNames.map((name) => ({ workspace, campaign_id: `c-${name}`, name })),
    ),
  };
}

function linkedInRow(post: GeneratedPost, isLinked: boolean) {
  return {
    workspace: post.workspace,
    profile_id: post.profileId,
    linkedin_post_id: post.id,
    commentary: post.commentary,
    type: post.type,
    published_at: post.publishedAt,
    like_count: post.counts.like,
    comment_count: post.counts.comment,
    share_count: post.counts.share,
    click_count: post.counts.click,
    save_count: post.counts.save,
    send_count: post.counts.send,
    impression_count: post.impressions,
    engagement: post.engagement,
    emv: post.apiEmv,
    video_view_count: post.views,
    video_viewer_count: post.viewers,
    video_watch_time_seconds: post.watchSeconds,
    post_id: isLinked ? `planned-${post.id}` : null,
  };
}

/** Mulberry32: the same figures on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
