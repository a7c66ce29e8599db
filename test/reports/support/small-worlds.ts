import type { ReportParameters } from '../../../src/report/report-parameters.ts';
import type { ReportConfig } from '../../../src/report/report-session.ts';
import { seededRandom } from '../../report/support/generated-rows.ts';
import type { WarehouseRows } from '../../report/support/report-warehouse.ts';
import { nothing } from './golden-rows.ts';

/** A warehouse of a few posts, and how it is asked. */
export interface SmallWorld {
  readonly rows: WarehouseRows;
  readonly parameters: Partial<ReportParameters>;
  readonly config: Partial<ReportConfig>;
  /** How many posts, videos and so on there are. */
  readonly things: Readonly<Record<string, number>>;
  /** The names of profiles, campaigns and labels. */
  readonly names: ReadonlySet<string>;
  /** The days on which something is, in any zone. */
  readonly days: ReadonlySet<string>;
}

const hour = 3_600_000;
const newest = Date.parse('2025-11-26T10:00:00Z');

function at(days: number, hours = 0): string {
  return new Date(newest - days * 24 * hour + hours * hour).toISOString();
}

const profileNames = ['Acme', 'Mara Lind', 'Ærø'];
const figures = [
  'null',
  'zero',
  'negative',
  'cents',
  'usual',
  'usual',
  'more views',
  'one',
] as const;

/** A world in which most things are there once, or not at all. */
export function smallWorld(seed: number): SmallWorld {
  const random = seededRandom(seed);
  const pick = <Item>(...items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] as Item;
  const count = pick(1, 1, 2, 3, 12, 25);
  const style = pick(...figures);
  const isMixed = random() < 0.4;
  const types = pick(['Text'], ['Video'], ['Video', 'Text'], ['Image', 'Poll', 'Video']);
  const kinds = pick(['page'], ['member'], ['page', 'member'], ['page', 'none'], ['none']);
  const profileCount = pick(1, 1, 2, 3);
  const days = pick([0], [3, 5], [20, 30, 60], [20, 100, 400], [70, 71, 72]);
  const campaigns = pick(
    [null],
    ['Spring'],
    ['Spring', null],
    ['Spring', 'Autumn', 'Winter', null],
  );
  const labels = pick([null], ['Hiring'], ['Hiring', null], ['Hiring', 'Event']);
  const removed = pick(0, 0, 0.3, 1);
  const isLinked = random() < 0.8;
  const createdAfter = pick(-200, -30, 5, null);
  const readings = pick(0, 1, 2, 3);
  const isUnread = profileCount > 1 && random() < 0.3;
  const isPlanned = random() < 0.5;

  const posts = Array.from({ length: count }, (_, index) => {
    const kind = kinds[(index % profileCount) % kinds.length] ?? 'none';
    const type = pick(...types);
    return {
      linkedin_post_id: `l${String(index)}`,
      post_id: isLinked ? `w${String(index)}` : null,
      profile_id: `p${String(1 + (index % profileCount))}`,
      type,
      commentary: `Post ${String(index)}`,
      published_at: random() < 0.05 ? null : at(pick(...days), -(index % 5)),
      last_seen_at: at(0),
      ...figuresOf(isMixed ? pick(...figures) : style, type === 'Video'),
      ...(kind === 'page' ? { save_count: null, send_count: null } : {}),
      ...(kind === 'member' ? { click_count: null } : {}),
      ...(kind === 'none' ? { click_count: null, save_count: null, send_count: null } : {}),
    };
  });

  function figuresOf(how: (typeof figures)[number], isVideo: boolean) {
    const whole = (most: number) => 1 + Math.floor(random() * most);
    const impressions = { zero: 0, one: 1, cents: whole(30) } as Record<string, number>;
    const shown = impressions[how] ?? 500 + whole(9000);
    const views = how === 'more views' ? 2 * shown : how === 'one' ? 1 : Math.floor(shown / 3);
    if (how === 'null') return nothing;
    const each =
      how === 'zero' ? 0 : how === 'one' ? 1 : how === 'negative' ? -whole(5) : whole(40);
    return {
      like_count: each,
      comment_count: Math.trunc(each / 4),
      share_count: Math.trunc(each / 8),
      click_count: each,
      save_count: each,
      send_count: Math.trunc(each / 8),
      impression_count: shown,
      engagement:
        how === 'zero' ? 0 : how === 'more views' ? 1.5 : how === 'one' ? 1 : random() / 10,
      emv: how === 'negative' ? -each - 0.5 : shown * 0.03,
      video_view_count: isVideo ? views : null,
      video_viewer_count: isVideo ? Math.max(1, views - 1) : null,
      video_watch_time_seconds: isVideo ? views * 9 : null,
    };
  }

  const linked = isLinked ? posts : [];
  const campaignNames = campaigns.filter((name) => name !== null);
  const labelNames = labels.filter((name) => name !== null);
  const rows: WarehouseRows = {
    profiles: Array.from({ length: profileCount }, (_, index) => ({
      profile_id: `p${String(index + 1)}`,
      name: profileNames[index],
      cpm: pick(null, 30),
    })),
    linkedin_posts: posts,
    linkedin_post_snapshots: posts.flatMap((post) =>
      Array.from({ length: readings }, (_, back) => ({
        ...Object.fromEntries(Object.keys(nothing).map((key) => [key, post[key as never]])),
        linkedin_post_id: post.linkedin_post_id,
        impression_count:
          post.impression_count === null
            ? null
            : Math.max(0, post.impression_count - back * pick(1, 9, -3)),
        captured_at: at(back * 7),
        captured_on: at(back * 7).slice(0, 10),
      })).filter(({ captured_at }) => (post.published_at ?? '') < captured_at),
    ),
    posts: linked.map(({ post_id, published_at }, index) => ({
      post_id,
      title: `Title ${String(index)}`,
      campaign_id: pick(...campaigns),
      created_at:
        createdAfter === null || published_at === null
          ? null
          : new Date(Date.parse(published_at) + createdAfter * hour).toISOString(),
      publish_at: isPlanned ? published_at : null,
      ...(random() < removed && {
        removed_at: at(1),
        removed_by: pick(null, 'Anna'),
      }),
    })),
    campaigns: campaignNames.map((name) => ({
      campaign_id: name,
      name,
      start_date: pick(null, '2025-11-01'),
      end_date: pick(null, '2025-11-30'),
    })),
    labels: labelNames.map((name) => ({ label_id: name, name })),
    post_labels: linked.flatMap(({ post_id }) =>
      labels.flatMap((label_id) =>
        label_id !== null && random() < 0.6 ? [{ post_id, label_id }] : [],
      ),
    ),
    approvals: linked.slice(0, pick(0, 1, 12)).map(({ post_id, published_at }, index) => ({
      post_id,
      approval_id: String(index),
      user_id: 'u1',
      user_name: 'Bo',
      status: 'Requested',
      is_blocking: random() < 0.5,
      created_at:
        published_at === null
          ? at(90)
          : new Date(Date.parse(published_at) - 9 * hour).toISOString(),
      due_date: at(2),
      approved_at: random() < 0.5 || published_at === null ? null : published_at,
    })),
    review_readings: linked
      .slice(0, pick(0, 1, 12))
      .map(({ post_id }) => ({ post_id, source: 'comments' })),
    inline_comments: linked.slice(0, pick(0, 1, 2)).map(({ post_id }) => ({
      post_id,
      thread_id: 't',
      resolved: false,
      created_at: at(500),
      updated_at: at(500),
      replies: [],
    })),
    runs: Array.from({ length: pick(0, 1, 2) }, (_, index) => ({
      run_id: `r${String(index)}`,
      finished_at: at(0),
      started_at: at(0, -1),
      status: pick('succeeded', 'partial'),
    })),
    rejected_records: Array.from({ length: pick(0, 0, 1, 2) }, () => ({
      source: 'acme',
      reason: 'no id',
      rejected_at: at(pick(1, 2)),
    })),
    ...(isUnread && {
      extract_windows: [
        { profile_id: 'p1', start_date: '2000-01-01', end_date: '2025-11-26', fetched_at: at(0) },
        {
          profile_id: 'p2',
          start_date: '2025-11-20',
          end_date: '2025-11-20',
          fetched_at: at(0),
          status: 'failed',
          seq: 2,
        },
      ],
    }),
  };
  const period = pick(
    {},
    {},
    { from: '2025-11-01', to: '2025-11-30' },
    { from: '2025-11-18', to: '2025-11-21' },
  );
  return {
    rows,
    parameters: {
      ...period,
      cpm: pick(null, null, 25),
      removed: pick('exclude', 'exclude', 'include'),
    },
    config: {
      timezone: pick('Europe/Berlin', 'Pacific/Auckland'),
      cpmBand: pick(null, { low: 10, high: 20 }),
      today: '2025-11-27',
    },
    things: {
      post: count,
      video: posts.filter(({ type }) => type === 'Video').length,
      profile: profileCount,
      campaign: campaignNames.length,
      label: labelNames.length,
    },
    names: new Set([...profileNames, ...campaignNames, ...labelNames]),
    days: daysOf(JSON.stringify([rows, period, comparedDays, at(0), at(-1)])),
  };
}

/** The first and the last days of the periods before. */
const comparedDays = ['2025-10-01', '2025-10-31', '2025-11-14', '2025-11-17'];

/** The days of a text, and those beside them, which are the same instants in other zones. */
function daysOf(text: string): Set<string> {
  const days = text.match(/\d{4}-\d{2}-\d{2}/g) ?? [];
  return new Set(
    days.flatMap((day) =>
      [-1, 0, 1].map((days) =>
        new Date(Date.parse(day) + days * 24 * hour).toISOString().slice(0, 10),
      ),
    ),
  );
}
