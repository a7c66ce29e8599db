import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { silentLog } from '../../src/core/log.ts';
import { replayEvents, type ReplaySummary } from '../../src/load/events/replay-events.ts';
import { Database } from '../../src/warehouse/database.ts';
import { deletionEvent, inviteEvent, spoolEvents } from '../support/inbox-segments.ts';
import { configOf, load, rowsOf } from '../support/landed-run.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const noEvents = { applied: 0, kept: 0, rejected: 0, repeats: 0, damaged: 0 };

/** The same files, with workspaces of these slugs by their keys. */
function withSlugs(config: Config, slugs: Readonly<Record<string, string>>): Config {
  const [workspace] = config.workspaces.values();
  if (!workspace) throw new Error('the config has no workspace');
  const workspaces = Object.entries(slugs).map(
    ([key, slug]) => [key, { ...workspace, key, slug, profiles: [] }] as const,
  );
  return { ...config, workspaces: new Map(workspaces) };
}

async function emptyConfig(): Promise<Config> {
  return withSlugs(configOf(await temporaryFolder()), { acme: 'acme', beta: 'beta' });
}

function replay(config: Config): Promise<ReplaySummary> {
  const clock = new ManualClock();
  return replayEvents({ config, clock, log: silentLog, isRejectedOnly: false, waitMs: 0 });
}

const removedPosts = 'select workspace, post_id, removed_at is not null as is_removed from posts';
const places = 'select workspace, outcome from webhook_events order by all';

describe('an event whose slug another workspace has by now', () => {
  test('stays with the workspace that it was applied to when events are replayed', async () => {
    const config = await emptyConfig();
    await spoolEvents(config, [deletionEvent()]);
    await load(config);
    const moved = withSlugs(config, { acme: 'acme-old', beta: 'acme' });
    const summary = { events: 1, changed: 0, applied: 1, kept: 0, rejected: 0 };
    expect(await replay(moved)).toEqual(summary);
    expect(await rowsOf(config, removedPosts)).toEqual([
      { workspace: 'acme', post_id: 'p1', is_removed: true },
    ]);
    expect(await rowsOf(config, places)).toEqual([{ workspace: 'acme', outcome: 'applied' }]);
  });

  test('stays with the workspace that it was applied to when a load reads it again', async () => {
    const config = await emptyConfig();
    await spoolEvents(config, [deletionEvent(), deletionEvent({ id: 'p2' })], { suffix: '.open' });
    await load(config);
    await spoolEvents(config, [deletionEvent()]);
    const moved = withSlugs(config, { acme: 'acme-old', beta: 'acme' });
    expect((await load(moved)).events).toEqual({ ...noEvents, repeats: 1 });
    expect(await rowsOf(config, `${removedPosts} order by all`)).toEqual([
      { workspace: 'acme', post_id: 'p1', is_removed: true },
      { workspace: 'acme', post_id: 'p2', is_removed: true },
    ]);
    expect(await rowsOf(config, places)).toEqual([
      { workspace: 'acme', outcome: 'applied' },
      { workspace: 'acme', outcome: 'applied' },
    ]);
  });

  test('goes to the workspace that has its slug, as long as it was not applied', async () => {
    const config = withSlugs(await emptyConfig(), { acme: 'acme-old', beta: 'beta' });
    await spoolEvents(config, [deletionEvent()]);
    expect((await load(config)).events).toEqual({ ...noEvents, kept: 1 });
    await load(withSlugs(config, { acme: 'acme-old', beta: 'acme' }));
    expect(await rowsOf(config, places)).toEqual([{ workspace: 'beta', outcome: 'applied' }]);
  });
});

test('a load applies what a version kept that did not know its type', async () => {
  const config = await emptyConfig();
  const workspace = { id: 'w9', slug: 'fjord' };
  await spoolEvents(config, [
    inviteEvent(),
    inviteEvent({ id: 'i2', workspace }),
    inviteEvent({ sentEmail: 'no' }),
    { type: 'post.created', createdAt: '2026-01-01T00:00:00Z', data: {} },
  ]);
  await load(config);
  const database = await Database.open(config.warehouse, 'READ_WRITE');
  await database.run(
    `delete from invites;
    update webhook_events set outcome = 'kept', reason = 'the type "' || type || '" is not known'`,
  );
  database.close();
  expect((await load(config)).events).toEqual({ ...noEvents, applied: 1, rejected: 1 });
  expect(await rowsOf(config, 'select invite_id from invites')).toEqual([{ invite_id: 'i1' }]);
  expect(
    await rowsOf(config, 'select type, outcome, reason from webhook_events order by all'),
  ).toEqual([
    { type: 'invite.created', outcome: 'applied', reason: null },
    {
      type: 'invite.created',
      outcome: 'kept',
      reason: 'the workspace "fjord" is not configured',
    },
    {
      type: 'invite.created',
      outcome: 'rejected',
      reason: 'data.invite.sentEmail: expected true or false, got "no"',
    },
    { type: 'post.created', outcome: 'kept', reason: 'the type "post.created" is not known' },
  ]);
  expect(await load(config)).toMatchObject({ events: noEvents, isPublished: false });
});
