import { describe, expect, test } from 'vitest';
import type { ReportParameters } from '../../src/report/report-parameters.ts';
import { buildOf } from '../reports/support/built-report.ts';
import { openSessionOn } from './support/open-session.ts';
import type { WarehouseRows } from './support/report-warehouse.ts';

const removedAt = '2025-12-05T00:00:00.000Z';

const rows: WarehouseRows = {
  profiles: [
    { profile_id: 'p1', name: 'Acme' },
    { workspace: 'beta', profile_id: 'p3', name: 'Beta' },
  ],
  linkedin_posts: [
    { linkedin_post_id: 'kept', published_at: '2025-11-03T08:00:00Z' },
    { linkedin_post_id: 'removed', published_at: '2025-11-04T08:00:00Z', post_id: 'a' },
    { linkedin_post_id: 'earlier', published_at: '2025-10-04T08:00:00Z', post_id: 'b' },
    { workspace: 'beta', profile_id: 'p3', linkedin_post_id: 'other', published_at: null },
  ],
  linkedin_post_snapshots: [
    {
      linkedin_post_id: 'removed',
      captured_on: '2025-12-01',
      captured_at: '2025-12-01T05:00:00Z',
    },
  ],
  posts: [
    { post_id: 'a', status: 'ToDo', removed_at: removedAt, removed_by: 'Anna Lindqvist' },
    { post_id: 'b', removed_at: removedAt },
    { post_id: 'both', campaign_id: 'c', removed_at: removedAt },
    { post_id: 'in the campaign', campaign_id: 'c', removed_at: removedAt },
    { post_id: 'labelled', removed_at: removedAt },
    { workspace: 'beta', post_id: 'both, elsewhere', campaign_id: 'c', removed_at: removedAt },
    { post_id: 'plain', removed_at: removedAt },
    { post_id: 'there' },
  ],
  post_details: [
    { post_id: 'a', reading_id: 1, status: 'Scheduled' },
    { post_id: 'a', reading_id: 2, status: 'Posted' },
  ],
  campaigns: ['acme', 'beta'].map((workspace) => ({ workspace, campaign_id: 'c', name: 'Spring' })),
  labels: ['acme', 'beta'].map((workspace) => ({ workspace, label_id: 'l', name: 'Hiring' })),
  post_labels: [
    { post_id: 'both', label_id: 'l' },
    { post_id: 'labelled', label_id: 'l' },
    { workspace: 'beta', post_id: 'both, elsewhere', label_id: 'l' },
  ],
};

async function query(sql: string, changes: Partial<ReportParameters>): Promise<unknown[][]> {
  const { database, tables } = await openSessionOn(rows, changes);
  await tables.make(['report_unlinked_removals']);
  return (await database.query(sql)).rows.map((row) => [...row]);
}

/** The first lines of a report about its posts. */
async function head(report: string, parameters: Partial<ReportParameters>) {
  const document = await buildOf(rows, report, { only: [], parameters });
  const { covers, profiles, previousPeriod, filters } = document;
  return { covers, profiles, previousPeriod, filters };
}

const november = { from: '2025-11-01', to: '2025-11-30' };

test('before the day of the removal they are not removed, have the status before, and nobody has removed them', async () => {
  const sql = 'select is_removed, status, removed_at, removed_by from report_all';
  expect(await query(sql, { asOf: '2025-12-04' })).toEqual([[false, 'Posted', null, null]]);
  expect(await query(sql, { asOf: '2025-12-05' })).toEqual([
    [true, 'ToDo', removedAt, 'Anna Lindqvist'],
  ]);
});

describe('removed posts without a LinkedIn post', () => {
  const sql = 'select post_id from report_unlinked_removals order by all';
  const all = ['both', 'both, elsewhere', 'in the campaign', 'labelled', 'plain'];

  test.each<[string, Partial<ReportParameters>, string[]]>([
    [
      'the same in any period, whatever is asked about removed posts',
      { ...november, removed: 'only' },
      all,
    ],
    [
      'of the workspace, the campaign and with the label',
      { workspaces: ['acme'], campaigns: ['Spring'], labels: ['Hiring'] },
      ['both'],
    ],
    ['without a campaign and a label', { campaigns: ['(none)'], labels: ['(none)'] }, ['plain']],
    ['none of a profile, since theirs is not known', { profiles: ['Acme'] }, []],
    ['none of a type, since theirs is not known', { types: ['Text'] }, []],
  ])('are there: %s', async (_name, changes, expected) => {
    expect((await query(sql, changes)).flat()).toEqual(expected);
  });

  test('do not include the post of a LinkedIn post that was first read after the day', async () => {
    const asOf = '2025-12-05';
    const read = "select post_id from report_candidates where post_id = 'b'";
    expect(await query(read, { asOf })).toEqual([]);
    expect((await query(sql, { asOf })).flat()).toEqual(all);
  });

  test('do not exist before the first removal', async () => {
    expect(await query(sql, { asOf: '2025-12-04' })).toEqual([]);
  });
});

test('a report about them lists their profiles, compares nothing, and needs no filter', async () => {
  expect(await head('removed', { ...november, removed: 'include' })).toEqual({
    covers: 'removed posts',
    profiles: ['Acme'],
    previousPeriod: null,
    filters: [],
  });
  expect(await head('removed', { workspaces: ['beta'] })).toEqual({
    covers: 'removed posts',
    profiles: ['Beta'],
    previousPeriod: null,
    filters: ['workspace: beta'],
  });
});

test('a report on removed posts alone says so, and compares them with the previous ones', async () => {
  expect(await head('emv', { ...november, removed: 'only' })).toEqual({
    covers: 'removed posts',
    profiles: ['Acme'],
    previousPeriod: { from: '2025-10-01', to: '2025-10-31' },
    filters: ['removed posts only'],
  });
});
