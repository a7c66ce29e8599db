import { describe, expect, it } from 'vitest';
import { builtInReports, listReportNames } from '../../src/report/report-catalog.ts';
import {
  casesOf,
  inJob,
  loadJobs,
  minimalJobs,
  problemsOf,
  windows,
} from '../support/jobs-file.ts';

const knownReports = await listReportNames([builtInReports]);

describe('conflicts within webhooks', () => {
  const open =
    '11: webhooks.host: must be a loopback address such as 127.0.0.1 without token or signing_secret, since anyone could send events';
  it.each(
    casesOf(`
end | webhooks: { host: 0.0.0.0 }
  ${open}
end | webhooks: { host: hooks.example.com, port: 80 }
  ${open}
end | webhooks: { metrics_port: 8787 }
  11: webhooks.metrics_port: must differ from port, 8787
end | webhooks: { token_header: X-Hook-Token, signing_secret: "\${S}" }
  11: webhooks.token_header: has no effect without a token
`),
  )('include %s', async (_, text, problem) => {
    expect(await problemsOf(text)).toEqual([problem]);
  });

  it.each([
    'host: LocalHost',
    'host: "[::1]"',
    'host: 0.0.0.0, token: "${T}"',
    'host: "::", signing_secret: ["${S}"]',
    'port: 0, metrics_port: 0',
  ])('do not include %s', async (keys) => {
    expect(await problemsOf(`${minimalJobs}webhooks: { ${keys} }\n`)).toEqual([]);
  });

  it('show no value that came from the environment', async () => {
    const text = `${minimalJobs}webhooks: { host: "\${HOOK_HOST}" }\n`;
    const environment = { HOOK_HOST: '192.0.2.7' };
    expect(await problemsOf(text, { environment })).toEqual([open]);
  });
});

describe('conflicts within a config', () => {
  it.each(
    casesOf(`
only | workspaces: {}
  1: workspaces: must have at least one workspace
top | cpm_band: { low: 45, high: 20 }
  1: cpm_band: low must not be above high, got 45 and 20
top | prices: { board: { clicks: 4 } }\\nclients: { a: { name: A, profiles: [acme/*], prices: bord } }
  2: clients.a.prices: no price list "bord"; did you mean "board"?
report | { report: emv, period: all, prices: board }
  12: jobs.daily.reports[0].prices: no price list "board"; jobs.yaml has no prices
report | { report: emv, period: all, cpm: 3, prices: board }
  12: jobs.daily.reports[0].prices: stands beside cpm; leave one of the two out
top | prices: { board: { click: 4 } }
  1: prices.board.click: unknown key; did you mean "clicks"?
top | prices: { board: { clicks: "4" } }
  1: prices.board.clicks: must be a number, got "4"; remove the quotes
top | prices: { board: { clicks: -4 } }
  1: prices.board.clicks: must be at least 0, got -4
top | prices: { board: {} }
  1: prices.board: has no price; give one of impressions, likes, comments, shares, clicks, saves, sends, views
top | prices: { board: [{ from: 2026-01-01, clicks: 4 }, { clicks: 5 }] }
  1: prices.board[1]: has no from; among several, each needs its first day
top | prices: { board: [{ from: 2026-01-01, clicks: 4 }, { from: 2026-01-01, clicks: 5 }] }
  1: prices.board[1].from: is the day of [0], too
top | prices: { board: [{ from: 2026-02-30, clicks: 4 }] }
  1: prices.board[0].from: must be a day of the calendar, as YYYY-MM-DD, got "2026-02-30"
top | prices: { board: 4 }
  1: prices.board: must be a mapping, got 4
profiles | { id: 6F1C7A52-0F0E-4A58-9C1B-2F9B3F6F2D11, name: B }
  7: workspaces.acme.profiles[1].id: is listed twice in the workspace, first in profiles[0]
report | { report: emv, period: { from: 2025-02-01, to: 2025-01-01 } }
  12: jobs.daily.reports[0].period: from must not be after to, got 2025-02-01 and 2025-01-01
report | { report: emv, period: {} }
  12: jobs.daily.reports[0].period: must have from, to or both
report | { report: engagment, period: all }
  12: jobs.daily.reports[0].report: no report "engagment"; did you mean "engagement"?
report | { report: reach, period: all }
  12: jobs.daily.reports[0].report: no report "reach"; known are ${knownReports.join(', ')}
windows | { size_days: 7 }
  10: jobs.daily.windows: must have either start or days, got none
windows | { start: 2025-01-01, days: 7 }
  10: jobs.daily.windows: must have either start or days, got both
windows | { start: 2026-01-16 }
  10: jobs.daily.windows.start: must not be in the future: today is 2026-01-15, got "2026-01-16"
replace | [acme/*] -> [acne/*]
  9: jobs.daily.profiles[0]: no workspace "acne"; did you mean "acme"?
end | clients: { acme: { name: A, profiles: [acme/*] }, Acme: { name: B, profiles: [acme/*] } }
  11: clients.Acme: differs from "acme" by upper and lower case alone, so their reports may be in one folder; rename one of them
without | profiles:\\n.*-
  7: jobs.daily.profiles[0]: the workspace "acme" has no profiles
replace | [acme/*] -> [acme/acme]
  9: jobs.daily.profiles[0]: the workspace "acme" has no profile "acme"; did you mean "Acme"?
`),
  )('are %s', async (_, text, problem) => {
    expect(await problemsOf(text, { knownReports })).toEqual([problem]);
  });

  it.each([
    ['', '\n    slug: "${SLUG}"', 'acme'],
    ['\n    slug: other', '', 'other'],
  ])('include a slug or key of two workspaces: acme:%s and other:%s', async (own, other, slug) => {
    const block = minimalJobs.slice(minimalJobs.indexOf('  acme:'), minimalJobs.indexOf('jobs:'));
    const text = minimalJobs
      .replace('acme:', `acme:${own}`)
      .replace('jobs:', `${block.replace('acme:', `other:${other}`)}jobs:`);
    expect(await problemsOf({ text, env: 'SLUG=acme' })).toEqual([
      `8: workspaces.other.slug: is "${slug}", which is also the slug of the workspace "acme", so events of the two cannot be told apart; the default slug is the key`,
    ]);
  });

  it.each([
    [
      '[other, acme]',
      '8: workspaces.other.slug[1]: is "acme", which is also the slug of the workspace "acme", so events of the two cannot be told apart; the default slug is the key',
    ],
    ['[mine, yours, mine]', '8: workspaces.other.slug[2]: is "mine", which is listed twice'],
    ['[]', '8: workspaces.other.slug: must have at least one entry'],
    ['[7]', '8: workspaces.other.slug[0]: must be text, got 7; put it in quotes'],
  ])('include a slug of a list that is not its own: %s', async (slugs, problem) => {
    const block = minimalJobs.slice(minimalJobs.indexOf('  acme:'), minimalJobs.indexOf('jobs:'));
    const text = minimalJobs.replace(
      'jobs:',
      `${block.replace('acme:', `other:\n    slug: ${slugs}`)}jobs:`,
    );
    expect(await problemsOf({ text })).toEqual([problem]);
  });

  it('do not include unknown reports if the names of reports are not given', async () => {
    const { jobs } = await loadJobs(inJob('reports:\n  - { report: mine, period: all }'));
    expect(jobs.get('daily')?.reports[0]?.report).toBe('mine');
  });

  it('do not include a start that is today in UTC or in the time zone', async () => {
    const tomorrow = windows('{ start: 2026-01-16 }');
    const now = new Date('2026-01-15T23:30:00Z');
    expect(await problemsOf(`timezone: Europe/Berlin\n${tomorrow}`, { now })).toEqual([]);
    const later = new Date('2026-01-16T00:30:00Z');
    expect(await problemsOf(`timezone: America/New_York\n${tomorrow}`, { now: later })).toEqual([]);
  });
});
