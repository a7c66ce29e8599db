import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agency, october } from '../support/agency-month.ts';
import { attachmentsOf } from '../support/mail-text.ts';

const noon = '2026-11-02T11:00:00Z';

/** The client of East with more keys, and a job that mails it the report with more keys of report and mail. */
const site = ({ client = '', report = '', mail = '', more = '' }) => ({
  more,
  clients: `\n  east: { name: East AG, profiles: [w/East], to: [east@x.example]${client} }`,
  job: `
    reports: [{ report: emv, for: [east], period: last_month, formats: [csv, html], out: "./out/{client}"${report}, deliver: [{ mail: client, attach: [html]${mail} }] }]`,
});

/** The names of the main sections of a page, in their order, and the paper that it is printed on. */
function shownIn(page: string) {
  const [main = ''] = page.split('<details class="appendix');
  const sections = [...main.matchAll(/<h2 id[^>]*><bdi>([^<]*)</g)].map(([, title]) => title);
  return { sections, paper: /@page\{size:(\w+)/.exec(page)?.[1] };
}

function attachedPage(message: string) {
  const [page] = [...attachmentsOf(message).values()];
  return shownIn(Buffer.from(page ?? []).toString());
}

describe('what a reader gets', () => {
  it('is what the client has, else the report, else the delivery, while data files keep all', async () => {
    const client = ', sections: [by_type, emv/summary], paper: a4';
    const { folder, run, set, smtp } = await agency(site({ client }));
    expect((await run('run monthly', october)).code).toBe(0);
    const written = async () =>
      shownIn(await readFile(join(folder, 'out', 'east', 'emv.html'), 'utf8'));
    const chosen = { sections: ['By type', 'Summary'], paper: 'A4' };
    expect(await written()).toEqual(chosen);
    expect(attachedPage(smtp.received[0]?.message ?? '')).toEqual(chosen);
    const data = await readdir(join(folder, 'out', 'east', 'emv'));
    expect(data).toEqual(expect.arrayContaining(['by_profile.csv', 'by_month.csv', 'posts.csv']));

    await set(
      site({
        client,
        report: ', sections: [posts, by_type]',
        mail: ', name: more, sections: [by_week], paper: letter',
      }),
    );
    expect((await run('run monthly', noon)).code).toBe(0);
    expect(await written()).toEqual({ sections: ['Posts', 'By type'], paper: 'A4' });
    expect(attachedPage(smtp.received[1]?.message ?? '')).toEqual({
      sections: ['By week'],
      paper: 'letter',
    });
  });

  it('sends nothing again when it changes, and is that of jobs.yaml once what waits is sent', async () => {
    const { run, set, smtp, listed } = await agency(site({ mail: ', hold: true' }));
    await run('run monthly', october);
    await set(site({ client: ', sections: [summary]', mail: ', hold: true, paper: letter' }));
    await run('run monthly', noon);
    const [waiting, ...others] = await listed();
    expect(others).toEqual([]);
    expect((await run(`deliver approve ${waiting?.id}`, noon)).code).toBe(0);
    expect(attachedPage(smtp.received[0]?.message ?? '')).toEqual({
      sections: ['Summary'],
      paper: 'letter',
    });
    await set(site({ client: ', sections: [by_type], appendix: true' }));
    expect((await run('run monthly', '2026-11-03T11:00:00Z')).code).toBe(0);
    expect(smtp.received).toHaveLength(1);
  });

  it.each([
    ['en-US', 'letter', ' PM'],
    ['de-DE', 'A4', ', 16:04'],
  ])('of %s is on %s and has its clock', async (locale, paper, half) => {
    const { folder, run } = await agency(site({ more: `locale: ${locale}` }));
    await run('run monthly', '2026-11-01T15:04:00Z');
    const page = await readFile(join(folder, 'out', 'east', 'emv.html'), 'utf8');
    expect(shownIn(page).paper).toBe(paper);
    const [, asOf = ''] = /<bdi>Data as of ([^<]*)</.exec(page) ?? [];
    expect(asOf.replaceAll('\u00a0', ' ')).toContain(half);
  });

  it.each([
    [
      { client: ', sections: [by_tipe]' },
      'clients.east.sections[0]: no section "by_tipe" in emv; did you mean "by_type"?',
    ],
    [
      { report: ', sections: [posts, emv/sumary]' },
      'jobs.monthly.reports[0].sections[1]: no section "emv/sumary" in emv; did you mean "emv/summary"?',
    ],
    [
      { mail: ', sections: [scorecard]' },
      'jobs.monthly.reports[0].deliver[0].sections[0]: no section "scorecard" in emv; known are thirteen_months, by_week, by_month',
    ],
  ])('is refused where it names no section: %j', async (keys, message) => {
    const { run } = await agency(site(keys));
    const { code, log } = await run('check');
    expect(code).toBe(2);
    expect(log).toMatch(/jobs\.yaml:\d+: /);
    expect(log).toContain(message);
  });
});
