import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agency, october } from '../support/agency.ts';
import { analyticsRecord, type JsonObject } from '../support/made-records.ts';
import { attachmentsOf } from '../support/mail-text.ts';

const noon = '2026-11-02T11:00:00Z';
/** It renders and sends what a run would, and reads nothing before. */
const send = 'deliver send monthly';

/** The client of East with more keys, and a job that mails it the report with more keys of report and mail. */
const site = ({ client = '', report = '', mail = '', formats = 'html' }) => ({
  clients: `\n  east: { name: East AG, profiles: [w/East], to: [east@x.example]${client} }`,
  job: `
    reports: [{ report: emv, for: [east], period: last_month, formats: [${formats}], out: "./out/{client}"${report}, deliver: [{ mail: client, attach: [html]${mail} }] }]`,
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
  it('is what the client has now, else the report, else the delivery, while data files keep all, and sends nothing again', async () => {
    const first = ', hold: true';
    const { folder, run, set, smtp, listed } = await agency(site({ mail: first }));
    expect((await run('run monthly', october)).code).toBe(0);
    const client = ', sections: [by_type, emv/summary], paper: a4';
    await set(site({ client, mail: first, formats: 'csv, html' }));
    await run(send, noon);
    const [waiting, ...others] = await listed();
    expect(others).toEqual([]);
    expect((await run(`deliver approve ${waiting?.id}`, noon)).code).toBe(0);
    const written = async () =>
      shownIn(await readFile(join(folder, 'out', 'east', 'emv.html'), 'utf8'));
    const chosen = { sections: ['By type', 'Summary'], paper: 'A4' };
    expect(await written()).toEqual(chosen);
    expect(attachedPage(smtp.received[0]?.message ?? '')).toEqual(chosen);
    const data = await readdir(join(folder, 'out', 'east', 'emv'));
    expect(data).toEqual(expect.arrayContaining(['by_profile.csv', 'by_month.csv', 'posts.csv']));

    // only the mail with another name goes
    const mail =
      ' }, { mail: client, attach: [html], name: more, sections: [by_week], paper: letter';
    await set(site({ client, report: ', sections: [posts, by_type], appendix: true', mail }));
    expect((await run(send, '2026-11-03T11:00:00Z')).code).toBe(0);
    expect(await written()).toEqual({ sections: ['Posts', 'By type'], paper: 'A4' });
    expect(smtp.received).toHaveLength(2);
    expect(attachedPage(smtp.received[1]?.message ?? '')).toEqual({
      sections: ['By week'],
      paper: 'letter',
    });
  });

  it('is on the paper of their locale, and has its clock', async () => {
    const client = (key: string, profile: string, locale: string) =>
      `\n  ${key}: { name: ${profile} AG, profiles: [w/${profile}], locale: ${locale} }`;
    const { folder, run } = await agency({
      clients: client('us', 'East', 'en-US') + client('de', 'West', 'de-DE'),
      job: `\n    reports: [{ report: value, for: each, period: last_month, formats: [html], out: "./out/{client}" }]`,
    });
    await run('run monthly', '2026-11-01T15:04:00Z');
    const shown = async (key: string) => {
      const page = await readFile(join(folder, 'out', key, 'value.html'), 'utf8');
      const [, asOf = ''] = /<bdi>Data as of ([^<]*)</.exec(page) ?? [];
      return [shownIn(page).paper, asOf.replaceAll('\u00a0', ' ')];
    };
    expect(await shown('us')).toEqual(['letter', expect.stringContaining(' PM')]);
    expect(await shown('de')).toEqual(['A4', expect.stringContaining(', 16:04')]);
  });

  it('is refused where it names no section, each with its line', async () => {
    const { run } = await agency(
      site({
        client: ', sections: [by_tipe]',
        report: ', sections: [posts, emv/sumary]',
        mail: ', sections: [scorecard]',
      }),
    );
    const { code, log } = await run('check');
    expect(code).toBe(2);
    const entry = 'jobs.monthly.reports[0]';
    for (const message of [
      'clients.east.sections[0]: no section "by_tipe" in emv; did you mean "by_type"?',
      `${entry}.sections[1]: no section "emv/sumary" in emv; did you mean "emv/summary"?`,
      `${entry}.deliver[0].sections[0]: no section "scorecard" in emv; known are thirteen_months, by_week, by_month`,
    ])
      expect(log).toMatch(new RegExp(`:\\d+: ${message.replaceAll(/[[\]?.]/g, '\\$&')}`));
  });
});

/** Two posts whose sums are told by whole euros and tenths, though those of the images need cents and hundredths. */
const monthOf = (id: number, month: string, [text, image]: [JsonObject, JsonObject]) => [
  analyticsRecord(id, `${month}-05`, { impressionCount: 50_000, ...text }),
  analyticsRecord(id + 1, `${month}-06`, { type: 'Image', ...image }),
];
const unequalMonths = [
  ...monthOf(1, '2026-09', [
    { emv: 8200.6, engagement: 0.03 },
    { emv: 865.6, engagement: 0.0233 },
  ]),
  ...monthOf(3, '2026-10', [
    { emv: 5936.28, engagement: 0.02 },
    { emv: 935.4, engagement: 0.0197 },
  ]),
];

it('is printed with the same decimals in all reports of a delivery, in mail, page and Markdown', async () => {
  const reports = ['overview', 'emv', 'engagement'].map(
    (report) =>
      `{ report: ${report}, for: [east], period: last_month, formats: [html, md], out: "./out/{client}" }`,
  );
  const { folder, run, mails } = await agency({
    posts: [unequalMonths, []],
    clients: `
  east: { name: East AG, profiles: [w/East], to: [east@x.example], language: de, locale: de-DE }`,
    reads: 'w/East',
    job: `
    reports: [${reports.join(', ')}]
    deliver: [{ mail: client, attach: [] }]`,
  });
  expect((await run('run monthly', october)).code).toBe(0);
  const texts = mails();
  expect(texts).toHaveLength(1);
  for (const path of await readdir(join(folder, 'out'), { recursive: true }))
    if (/\.(?:html|md)$/.test(path)) texts.push(await readFile(join(folder, 'out', path), 'utf8'));
  // the axes of charts shorten their figures
  const read = texts.map((text) => text.replaceAll(/<svg.*?<\/svg>/gs, '')).join('');
  const printed = /\b(?:6[.,]871[.,]68|6[.,]872|2[.,]0{1,3}(?=\s?%))/g;
  expect([...new Set(read.match(printed))].toSorted()).toEqual(['2,00', '6.871,68']);
});
