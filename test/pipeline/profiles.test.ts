import { describe, expect, it } from 'vitest';
import { agency, october } from '../support/agency.ts';
import { uuid } from '../support/made-records.ts';
import { failure } from '../support/plain-service.ts';

const acme = {
  more: 'locale: en-GB\ncurrency: EUR',
  clients: '\n  acme: { name: Acme AG, profiles: [w/*], to: [acme@x.example] }',
  job: `
    schedule: "0 7 1 * *"
    reports: [{ report: value, for: [acme], period: last_month, formats: [md], deliver: [{ mail: client }] }]`,
};
const page = `{ id: ${uuid(900)}, name: Page }`;
const anna = (more = '') => `{ id: ${uuid(901)}, name: Anna${more} }`;
const both = { ...acme, profiles: `[${page}, ${anna()}]` };

/** The account of Anna was disconnected on 14 October, and October is held for the rest of her days. */
async function disconnected() {
  const site = await agency(both);
  await site.run('run monthly', '2026-10-14T05:00:00Z');
  site.service.answer(uuid(901), failure(404, 'NOT_FOUND', 'Not found'));
  const lost = await site.run('run monthly', october);
  const heldNow = async () => (await site.listed()).filter(({ state }) => state === 'held');
  return { ...site, lost, heldNow };
}

const sentOctober = 'acme@x.example: Acme AG, LinkedIn: Value, October 2026';

describe('a profile that ends within a month', () => {
  it('holds the month until jobs.yaml names its last day, and then is no failure and is not asked for', async () => {
    const { run, set, subjects, mails, heldNow, lost, service } = await disconnected();
    expect(lost.code).toBe(3);
    expect(lost.stdout).toContain('add `until: 2026-10-13` to it (workspaces.w.profiles, "Anna")');
    expect(await heldNow()).toMatchObject([
      { reason: expect.stringMatching(/^Incomplete: Anna/) as string },
    ]);
    // without her it would be another report
    await set({ profiles: `[${page}]` });
    await run('deliver send monthly', '2026-11-01T07:30:00Z');
    expect(await heldNow()).toMatchObject([{ waits_for: { kind: 'approval' } }]);
    await set({ profiles: `[${page}, ${anna(', until: 2026-10-20')}]` });
    expect((await run('check')).log).toContain(
      `workspaces.w.profiles[1].until: 2026-10-20 of Anna (${uuid(901)}) is later than the last day that counts as read, 2026-10-13, and the service answers 404`,
    );
    await set({ profiles: `[${page}, ${anna(', until: 2026-10-13')}]` });
    expect((await run('check')).log).not.toContain('Anna');
    service.requests.length = 0;
    const ended = await run('catch-up', '2026-11-01T08:00:00Z');
    expect(ended.code).toBe(0);
    expect(service.requests).toEqual([]);
    expect(subjects().slice(-1)).toEqual([sentOctober]);
    // the posts of both
    expect(mails().at(-1)).toContain('€500 of media value.');
    expect(await heldNow()).toEqual([]);

    // nothing waits for a later month
    await run('run monthly', '2026-12-01T06:00:00Z');
    expect(service.requests.filter(({ path }) => path.includes(uuid(901)))).toEqual([]);
    expect(subjects().slice(-1)).toEqual([
      'acme@x.example: Acme AG, LinkedIn: Value, November 2026',
    ]);
    const full = await run('run monthly --full --no-reports', '2026-12-01T07:00:00Z');
    expect(full.code).toBe(0);
    const asked = service.requests.filter(({ path }) => path.includes(uuid(901)));
    expect(asked.map(({ path, status }) => `${path.split('&endDate=')[1]} ${status}`)).toEqual([
      '2026-10-15 404',
    ]);
    expect((await run('status --fail-on failed,warning')).code).toBe(0);
    const { stdout } = await run('status --json', '2027-03-01T06:00:00Z');
    const { profiles, verdicts } = JSON.parse(stdout) as {
      profiles: object[];
      verdicts: { stale: string[] };
    };
    expect(profiles).toMatchObject([
      { name: 'Page' },
      { name: 'Anna', gaps: [], failed_windows: [], has_ended: true },
    ]);
    expect(verdicts.stale).toEqual([expect.stringContaining('w/Page')]);
  });

  it('is taken out of the held report by a person, who is told of it and gets it as it is now', async () => {
    const { run, set, subjects, mails, heldNow } = await disconnected();
    const before = subjects().length;
    await set({ profiles: `[${page}]` });
    expect((await run('deliver send monthly', '2026-11-01T08:00:00Z')).code).toBe(0);
    const id = (await heldNow())[0]?.id ?? '';
    const reason = `it differs from what was held: it no longer has Anna (w/${uuid(901)})`;
    expect(await heldNow()).toMatchObject([
      { id, reason, waits_for: { kind: 'approval', differs_from: 'held' } },
    ]);
    expect((await run('check')).log).toContain(
      `w/Anna (${uuid(901)}) has 2 posts in the warehouse and is not in jobs.yaml any more`,
    );
    // neither a later run nor catch-up sends it
    await run('run monthly', '2026-11-02T08:00:00Z');
    expect((await run('catch-up', '2026-11-02T09:00:00Z')).code).toBe(0);
    expect(subjects()).toHaveLength(before);
    expect((await run(`deliver list`)).stdout).toContain(`approval, since ${reason}`);
    expect((await run(`deliver approve ${id}`)).code).toBe(0);
    expect(subjects().slice(before)).toEqual([sentOctober]);
    expect(mails().at(-1)).toContain('€100 of media value.');
  });
});

it('a month that was held for the days before a client began is sent once jobs.yaml asks for no more, from its first day', async () => {
  const { run, set, subjects, mails, service } = await agency(both);
  service.respond = ({ searchParams }) =>
    (searchParams.get('startDate') ?? '') < '2026-10-05'
      ? failure(400, 'BAD_REQUEST', 'too early')
      : null;
  expect((await run('run monthly', october)).code).toBe(3);
  const before = subjects().length;
  await set({ start: '2026-10-06' });
  await run('run monthly', '2026-11-01T08:00:00Z');
  expect(subjects().slice(before)).toEqual([`${sentOctober}, from 6 October 2026`]);
  // the post of the page is of 5 October
  expect(mails().at(-1)).toContain('Complete from 6 October 2026: €400 of media value.');
  expect(mails().at(-1)).not.toContain('Incomplete');
});
