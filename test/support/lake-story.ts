import type { Config, WorkspaceConfig } from '../../src/config/config.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import { analyticsRecord, postDetails, uuid } from './made-records.ts';
import { deletionEvent, inviteEvent } from './stored-events.ts';
import {
  configOf,
  type FileConfig,
  finishOf,
  profileOf,
  recordOf,
  storeAnalytics,
  storeDetails,
} from './stored-run.ts';
import { dumpTables } from './table-dump.ts';

/** Enough workspaces for more than one shard. */
export const keys = ['acme', 'bolt', 'crux', 'dune', 'echo'];

export function configured(
  folder: string,
  slugs: Readonly<Record<string, string>> = {},
): FileConfig {
  const base = configOf(folder);
  const [model] = base.workspaces.values();
  if (!model) throw new Error('a config has a workspace');
  const workspaces = keys.map((key, index): [string, WorkspaceConfig] => [
    key,
    {
      ...model,
      key,
      slugs: [slugs[key] ?? key],
      profiles: [1, 2].map((number) =>
        profileOf({ workspace: key, id: uuid(index * 10 + number), name: `${key} ${number}` }),
      ),
    },
  ]);
  return { ...base, workspaces: new Map(workspaces) };
}

const bodyWithKeyTwice =
  '[{"id":"twice","url":"u","type":"Text","commentary":"a","commentary":"b"}]';

/** One run over all workspaces: posts with labels and campaigns, details, a bad record, an empty answer. */
export async function storeDay(config: Config, day: number): Promise<void> {
  const date = `2026-01-${String(day).padStart(2, '0')}`;
  const fetchedAt = new Date(`${date}T06:00:00Z`);
  for (const [index, [workspace, { profiles }]] of [...config.workspaces].entries()) {
    const record = recordOf({
      run_id: `run-${day}`,
      workspace,
      started_at: fetchedAt.toISOString(),
      profiles: profiles.map(({ id, name, cpm }) => ({ profile_id: id, name, cpm })),
    });
    const part = await RunWriter.open(config.dataDir, record);
    const records = [1, 2, 3].map((number) =>
      analyticsRecord(number, `2026-01-0${number}`, {
        likeCount: number * day,
        impressionCount: day === 3 ? 10 : 1000 * number * day,
        servicePost: {
          id: uuid(500 + number),
          title: `Post ${number} of day ${day}`,
          labels: [{ id: `l${number}`, name: `Label ${number}` }],
          campaign: { id: 'c1', name: `Campaign ${day}` },
        },
      }),
    );
    await storeAnalytics(part, [...records, { id: 7 }], { fetchedAt });
    await storeAnalytics(
      part,
      [],
      { fetchedAt },
      { start_date: '2025-12-01', end_date: '2025-12-30' },
    );
    await storeDetails(part, uuid(501), (postDetails(501) as { post: object }).post, { fetchedAt });
    await storeDetails(part, uuid(502), null, { fetchedAt });
    const approval = {
      id: uuid(600),
      status: 'Requested',
      user: { id: 'u1', firstName: `Day ${day}` },
    };
    await storeDetails(part, uuid(501), [approval], { fetchedAt }, 'approvals');
    const thread = { id: 't1', replies: [{ id: `r${day}`, message: 'Hello', reactions: [] }] };
    await storeDetails(part, uuid(501), [thread], { fetchedAt }, 'comments');
    // a body that the typed scan refuses
    if (day === 2) await storeAnalytics(part, bodyWithKeyTwice, { fetchedAt });
    await part.finish(
      finishOf({ status: index === day ? 'failed' : 'succeeded', requests: index }),
    );
  }
}

export function eventsOf(day: number): object[] {
  const createdAt = `2026-01-0${day}T08:00:00.000Z`;
  const from = (slug: string) => ({ workspace: { id: 'w', slug, name: slug } });
  return [
    ...keys.map((slug) => deletionEvent({ id: uuid(500 + day), ...from(slug) }, { createdAt })),
    deletionEvent({ id: 'other', ...from('elsewhere') }, { createdAt }),
    deletionEvent({ id: 7, ...from('acme') }, { createdAt }),
    inviteEvent({ id: `i${day}`, ...from('bolt') }, { createdAt }),
    { type: 'post.published', createdAt, data: { day } },
  ];
}

/** All tables except the settings, which each shard has for itself. */
export async function tablesOf(config: Config): Promise<object> {
  return { ...(await dumpTables(config)), load_settings: null };
}
