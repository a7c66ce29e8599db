import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jobFolder } from '../support/job-folder.ts';
import { inviteEvent, storeEvents } from '../support/stored-events.ts';

/** Three invitations: in Berlin received at 00:30 on the 20th, at 23:30, and at 00:30 on the 21st. */
async function folderWithEvents() {
  const job = await jobFolder({ url: 'http://127.0.0.1:9/api/v1', top: 'timezone: Europe/Berlin' });
  const dataDir = join(job.folder, 'data');
  for (const [id, receivedAt] of [
    ['i1', '2026-01-19T23:30:00.000Z'],
    ['i2', '2026-01-20T22:30:00.000Z'],
    ['i3', '2026-01-20T23:30:00.000Z'],
  ]) {
    const event = JSON.stringify(inviteEvent({ id, email: `${id}@example.com` }));
    const exact = event.replace('"sentEmail":true', '"sentEmail":true,"n":12345678901234567890');
    await storeEvents({ dataDir }, [exact], { receivedAt: String(receivedAt) });
  }
  const run = (...args: string[]) => job.run(...args, '--no-color');
  const ids = async (...args: string[]) => {
    const { stdout } = await run('webhooks', 'list', '--json', ...args);
    const events = JSON.parse(stdout) as { payload: { data: { invite: { id: string } } } }[];
    return events.map(({ payload }) => payload.data.invite.id);
  };
  return { dataDir, file: join(job.folder, 'jobs.yaml'), run, ids };
}

describe('webhooks list', () => {
  it('shows events before and after they are loaded, in local time, and all with their payloads as JSON, with large numbers as text', async () => {
    const { run } = await folderWithEvents();
    const list = async () =>
      (await run('webhooks', 'list', '--limit', '1')).stdout.split(/ {2,}|\n/);
    const head = ['Received', 'Type', 'Workspace', 'What', 'Outcome', 'Reason', 'Key'];
    const words = ['2026-01-21 00:30 +01:00', 'invite.created', 'acme', 'i3@example.com'];
    const before = await list();
    expect(before.slice(0, 7)).toEqual(head);
    expect(before.slice(14, 19)).toEqual([...words, 'pending']);
    expect((await run('load')).code).toBe(0);
    expect((await list()).slice(14, 19)).toEqual([...words, 'applied']);

    const { code, stdout, stderr } = await run('webhooks', 'list', '--json', '--limit', '2');
    expect(code).toBe(0);
    expect(stderr).toContain('these are the newest 2; --limit 0 shows all');
    const events = JSON.parse(stdout) as unknown[];
    expect(events).toHaveLength(2);
    expect(events[0]).toEqual({
      event_key: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      type: 'invite.created',
      created_at: '2026-01-18T08:00:01.000Z',
      received_at: '2026-01-20T23:30:00.000Z',
      workspace_id: 'w1',
      workspace_slug: 'acme',
      workspace: 'acme',
      outcome: 'applied',
      reason: null,
      payload: inviteEvent({ id: 'i3', email: 'i3@example.com', n: '12345678901234567890' }),
    });
  });

  it('takes days in the configured time zone, times as given, types, outcomes, workspaces and beginnings of keys', async () => {
    const { run, ids } = await folderWithEvents();
    expect(await ids()).toEqual(['i3', 'i2', 'i1']);
    expect(await ids('--since', '2026-01-20', '--until', '2026-01-20')).toEqual(['i2', 'i1']);
    expect(await ids('--since', '2026-01-21')).toEqual(['i3']);
    expect(await ids('--until', '2026-01-19')).toEqual([]);
    expect(await ids('--since', '2026-01-20T23:30:00+01:00')).toEqual(['i3', 'i2']);
    expect(await ids('--until', '2026-01-20T22:29:59Z')).toEqual(['i1']);

    expect(await ids('--type', 'x', '--type', 'invite.created')).toEqual(['i3', 'i2', 'i1']);
    expect(await ids('--outcome', 'PENDING', '--workspace', 'acme')).toEqual(['i3', 'i2', 'i1']);
    expect(await ids('--outcome', 'applied', '--outcome', 'pending')).toEqual(['i3', 'i2', 'i1']);
    expect(await ids('--outcome', 'applied', '--outcome', 'rejected')).toEqual([]);
    const { stdout } = await run('webhooks', 'list');
    const key = stdout.trim().split(/\s+/).at(-1) ?? '';
    expect(key).toMatch(/^[0-9a-f]{12}$/);
    expect(await ids('--key', key.toUpperCase())).toEqual(['i1']);
    expect(await run('webhooks', 'list', '--type', 'x')).toMatchObject({
      code: 0,
      stdout: 'No events.\n',
    });
  });

  it('accepts the workspaces of jobs.yaml and of loaded events', async () => {
    const { dataDir, file, run, ids } = await folderWithEvents();
    const workspace = { id: 'w2', slug: 'fjord-and-pine' };
    await storeEvents({ dataDir }, [inviteEvent({ id: 'i4', workspace })]);
    await run('load');
    expect(await ids('--workspace', 'fjord-and-pine')).toEqual(['i4']);
    expect(await ids('--workspace', 'fjord-and-pine', '--type', 'x')).toEqual([]);
    expect(await ids('--workspace', 'acme', '--type', 'x')).toEqual([]);
    const list = (name: string) => run('webhooks', 'list', '--workspace', name);
    const near = await list('fjord-und-pine');
    expect({ code: near.code, stdout: near.stdout }).toEqual({ code: 2, stdout: '' });
    expect(near.stderr).toContain(
      `no workspace "fjord-und-pine" in ${file}, nor in any loaded event; did you mean "fjord-and-pine"?`,
    );
    expect((await list('halden')).stderr).toContain('jobs.yaml has acme');
  });

  it.each([
    ['--outcome', 'lost', 'Give one of applied, kept, rejected, pending.'],
    ['--until', '2026-02-30', 'Give a day as YYYY-MM-DD'],
    ['--key', 'i3', 'Give the beginning of a key'],
    ['--limit', '1.5', 'Give a whole number, 0 or more.'],
  ])('exits with 2 for %s %s', async (flag, value, reason) => {
    const { run } = await jobFolder({ url: 'http://127.0.0.1:9/api/v1' });
    const { code, stdout, stderr } = await run('webhooks', 'list', flag, value);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(reason);
  });
});
