import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { agency } from './agency.ts';
import { runCli, writeFiles } from './cli.ts';
import { analyticsRecord, postDetails, uuid } from './made-records.ts';

const day = addDays(dayOf(new Date(), 'UTC'), -3);
export const ada = { id: 'u-4711', firstName: 'Ada', lastName: 'Byron', email: 'ada@acme.example' };
export const bob = { id: 'u-0815', firstName: 'Bob', lastName: 'Stone', email: 'bob@acme.example' };
export const member = uuid(901);

/** A page and a member, each with posts of the workspace, whose reviews name Ada and Bob. */
export async function reviewedSite() {
  const linked = (id: number) => ({ servicePost: { id: uuid(id), title: `Title ${id}` } });
  const { folder, service, set } = await agency({
    posts: [
      [analyticsRecord(1, day, linked(11))],
      [analyticsRecord(2, day, linked(12)), analyticsRecord(3, day)],
    ],
    clients: ' {}',
    windows: 'days: 20, size_days: 60',
    details: '[post, approvals, comments]',
    job: `
    reports: [{ report: workflow, period: all, formats: [csv, html] }, { report: value, period: all, formats: [csv, xlsx] }]`,
  });
  const approvals = [
    { id: 'a1', status: 'Approved', user: ada, requestedBy: bob, message: 'Please look' },
    { id: 'a2', status: 'Requested', user: bob, requestedBy: ada, message: 'Ada asks Bob' },
  ];
  const replies = [
    { id: 'r1', user: ada, message: 'I, Ada, disagree', createdAt: `${day}T08:00:00.000Z` },
    {
      id: 'r2',
      user: bob,
      message: 'Fine, @[Ada Byron](u-4711), or ada@acme.example?',
      createdAt: `${day}T08:10:00.000Z`,
      reactions: [],
    },
  ];
  const answer = (part: string, body: object) =>
    service.answer(part, { status: 200, body: JSON.stringify(body) });
  for (const id of [11, 12]) {
    answer(`${uuid(id)}/approvals`, { approvals });
    answer(`${uuid(id)}/inline-comments`, { inlineComments: [{ id: `t${id}`, replies }] });
    answer(`/posts/${uuid(id)}`, { post: postDetails(id) });
  }
  const profile = `, { id: ${member}, name: Ada of Acme }`;
  const configure = (more = profile) =>
    set({ profiles: `[{ id: ${uuid(900)}, name: Acme }${more}]` });
  await configure();
  const run = (...args: string[]) => runCli(args, { cwd: folder });
  const deletion = (id: number) => ({
    type: 'post.permanently_deleted',
    createdAt: `${day}T10:00:00.000Z`,
    data: { post: { id: uuid(id), deletedBy: ada, workspace: { slug: 'w' } } },
  });
  await writeFiles(folder, { 'events.json': JSON.stringify([deletion(12), deletion(77)]) });
  expect((await run('run')).code).toBe(0);
  await run('webhooks', 'ingest', 'events.json');
  await run('load');
  const totals = async () =>
    (
      await run(
        ...['sql', '--format', 'csv'],
        'select count(*), sum(impression_count), (select count(*) from approvals) from linkedin_posts',
      )
    ).stdout.split('\r\n')[1];
  return { folder, run, configure, totals };
}

/** The files under data and out whose bytes, unpacked where they are gzipped, contain one of the texts. */
export async function filesWith(folder: string, texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const root of ['data', 'out'].filter((name) => existsSync(join(folder, name)))) {
    const entries = await readdir(join(folder, root), { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((each) => each.isFile())) {
      const bytes = await readFile(join(entry.parentPath, entry.name));
      const content = entry.name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
      if (texts.some((text) => content.includes(text))) found.push(entry.name);
    }
  }
  return found;
}

export const namesOfAda = ['u-4711', 'ada@acme', 'Byron', 'I, Ada', 'Ada asks'];
