import { describe, expect, it } from 'vitest';
import { agency, october } from '../support/agency-month.ts';
import { decodeQuotedPrintable } from '../support/mail-text.ts';
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
  const { code } = await site.run('run monthly', october);
  const texts = () => site.smtp.received.map(({ message }) => decodeQuotedPrintable(message));
  const heldNow = async () => (await site.listed()).filter(({ state }) => state === 'held');
  return { ...site, code, texts, heldNow };
}

const sentOctober = 'acme@x.example: Acme AG, LinkedIn: Value, October 2026';

describe('a profile that ends within a month', () => {
  it('holds the month until jobs.yaml names its last day, and nothing waits for a later one', async () => {
    const { run, set, subjects, texts, heldNow, code } = await disconnected();
    expect(code).toBe(3);
    expect(await heldNow()).toMatchObject([
      { reason: expect.stringMatching(/^Incomplete: Anna/) as string },
    ]);
    await set({ profiles: `[${page}, ${anna(', until: 2026-10-20')}]` });
    expect((await run('check')).log).toContain(
      `workspaces.w.profiles[1].until: 2026-10-20 of Anna (${uuid(901)}) is later than the last day that counts as read, 2026-10-13, and the service answers 404`,
    );
    await set({ profiles: `[${page}, ${anna(', until: 2026-10-13')}]` });
    expect((await run('check')).log).not.toContain('Anna');
    await run('catch-up', '2026-11-01T08:00:00Z');
    expect(subjects().slice(-1)).toEqual([sentOctober]);
    // the posts of both
    expect(texts().at(-1)).toContain('€500 of media value.');
    expect(await heldNow()).toEqual([]);
    await run('run monthly', '2026-12-01T06:00:00Z');
    expect(subjects().slice(-1)).toEqual([
      'acme@x.example: Acme AG, LinkedIn: Value, November 2026',
    ]);
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
});

describe('a held report whose profiles have changed', () => {
  it('waits for a person, says which, and is sent as it is now once it is approved', async () => {
    const { run, set, subjects, texts, heldNow } = await disconnected();
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
    expect(texts().at(-1)).toContain('€100 of media value.');
  });

  it('is sent by itself once it has those again that it was held with, and is complete', async () => {
    const { run, set, subjects, heldNow, service } = await disconnected();
    await set({ profiles: `[${page}]` });
    await run('deliver send monthly', '2026-11-01T08:00:00Z');
    service.answer(uuid(901), null);
    await set(both);
    await run('run monthly --no-reports', '2026-11-01T09:00:00Z');
    await run('catch-up', '2026-11-01T09:30:00Z');
    expect(subjects().slice(-1)).toEqual([sentOctober]);
    expect(await heldNow()).toEqual([]);
  });
});

it('the first month of a client that begins within it is sent complete, from its first day', async () => {
  const { run, subjects, smtp } = await agency({ ...both, start: '2026-10-06' });
  expect((await run('run monthly', october)).code).toBe(0);
  expect(subjects()).toEqual([`${sentOctober}, from 6 October 2026`]);
  const text = decodeQuotedPrintable(smtp.received[0]?.message ?? '');
  // the post of the page is of 5 October
  expect(text).toContain('Complete from 6 October 2026: €400 of media value.');
  expect(text).not.toContain('Incomplete');
});

it('a month that was held for the days before a client began is sent once jobs.yaml asks for no more', async () => {
  const { run, set, subjects, service } = await agency(both);
  service.respond = ({ searchParams }) =>
    (searchParams.get('startDate') ?? '') < '2026-10-05'
      ? failure(400, 'BAD_REQUEST', 'too early')
      : null;
  expect((await run('run monthly', october)).code).toBe(3);
  const before = subjects().length;
  await set({ start: '2026-10-06' });
  await run('run monthly', '2026-11-01T08:00:00Z');
  expect(subjects().slice(before)).toEqual([`${sentOctober}, from 6 October 2026`]);
});
