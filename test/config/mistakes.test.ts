import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config/config-error.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { builtInReports, listReportNames } from '../../src/report/report-catalog.ts';
import {
  casesOf,
  inJob,
  minimalJobs,
  problemsOf,
  top,
  writeJobsFile,
} from '../support/jobs-file.ts';

const periods =
  'last_7_days, last_30_days, last_90_days, this_month, last_month, last_12_months, this_quarter, last_quarter, this_year, last_year, all, or a month, quarter or year such as 2026-10, 2026-Q3 or 2026, or from and to';

const knownReports = await listReportNames([builtInReports]);

describe('mistakes in a config', () => {
  it('are all reported at once, in the file’s order, with lines and paths', async () => {
    const file = await writeJobsFile({
      text: `timezone: Europe/Berln
workspaces:
  acme:
    base_url: social.example.com
    api_key: sk-live-1
    concurency: 4
    concurrency: 0
    profiles:
      - { id: 6f1c7a52-0f0e-4a58-9c1b-2f9b3f6f2d11, name: Acme, cpm: -1 }
jobs:
  daily:
    profiles: [acme/Acne]
    windows: { size_days: 0 }
`,
    });
    const now = new Date('2026-01-15T12:00:00Z');
    const error: unknown = await loadConfig({ file, environment: {}, now }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({
      code: 'CONFIG',
      exitCode: 2,
      recovery: 'fix-input',
      message: `${file}: 7 mistakes
  jobs.yaml:1: timezone: must be an IANA time zone such as Europe/Berlin, got "Europe/Berln"; did you mean "Europe/Berlin"?
  jobs.yaml:4: workspaces.acme.base_url: must be an http or https address such as https://social.example.com/api/v1, got "social.example.com"
  jobs.yaml:5: workspaces.acme.api_key: must be \${NAME}, the name of an environment variable; the secret itself must not be in the file
  jobs.yaml:6: workspaces.acme.concurency: unknown key; did you mean "concurrency"?
  jobs.yaml:7: workspaces.acme.concurrency: must be at least 1, got 0
  jobs.yaml:9: workspaces.acme.profiles[0].cpm: must be at least 0, got -1
  jobs.yaml:13: jobs.daily.windows.size_days: must be at least 1, got 0`,
    });
  });

  it('between parts are reported once each part is right, all at once', async () => {
    const text = inJob('reports:\n  - { report: emv, period: all, for: [fjord] }')
      .replace('[acme/*]', '[acme/Acne]')
      .replace('days: 400', 'days: 0');
    expect(await problemsOf(text)).toEqual([
      '10: jobs.daily.windows.days: must be at least 1, got 0',
    ]);
    expect(await problemsOf(text.replace('days: 0', 'days: 1'))).toEqual([
      '9: jobs.daily.profiles[0]: the workspace "acme" has no profile "Acne"; did you mean "Acme"?',
      '12: jobs.daily.reports[0].for[0]: no client "fjord"',
    ]);
  });

  it('in parts of a union name their keys', async () => {
    const lake = 'warehouse:\n  lake: { data: ./lake, catlog: x }';
    expect(await problemsOf(top(lake))).toEqual([
      '2: warehouse.lake.catalog: is missing; give the PostgreSQL database that is the catalog, from the environment or .env: ${CATALOG_URL}',
      '2: warehouse.lake.catlog: unknown key; did you mean "catalog"?',
    ]);
  });

  it.each(
    casesOf(`
top | colours: 3
  1: colours: unknown key; known are timezone, currency, locale, language, brand, prices, cpm_band, pdf, data_dir, warehouse, workspaces, clients, jobs, mail, s3, outbox_days, retention, metrics_file, notify, webhooks and 1 more
end | retention: { raw_days: 730 }
  11: retention.raw_days: raw answers and events are kept: a rebuild reads them; take a person or profile out with \`postledger erase\`
end | retention: { events_days: 730 }
  11: retention.events_days: raw answers and events are kept: a rebuild reads them; take a person or profile out with \`postledger erase\`
report | { report: emv, period: all, formts: [csv] }
  12: jobs.daily.reports[0].formts: unknown key; did you mean "formats"?
workspace | concurrency: "4"
  5: workspaces.acme.concurrency: must be a number, got "4"; remove the quotes
workspace | concurrency: 1.5
  5: workspaces.acme.concurrency: must be a whole number, got 1.5
workspace | timeout_seconds: 0
  5: workspaces.acme.timeout_seconds: must be more than 0, got 0
job | details: yes
  11: jobs.daily.details: must be true or false, got "yes"
job | details: [post, approval]
  11: jobs.daily.details[1]: must be one of post, approvals, comments, got "approval"; did you mean "approvals"?
job | details: "true"
  11: jobs.daily.details: must be true or false, got "true"; remove the quotes
profiles | { id: 6f1c7a52-0f0e-4a58-9c1b-2f9b3f6f2d12, name: 1848 }
  7: workspaces.acme.profiles[1].name: must be text, got 1848; put it in quotes
top | timezone:
  1: timezone: must be text, got nothing; remove the key, or put a text that contains # in quotes
top | brand:\\n  color: #0b5fa5
  2: brand.color: must be text, got nothing; remove the key, or put a text that contains # in quotes
top | brand: { color: red }
  1: brand.color: must be a colour such as "#0b5fa5", got "red"
top | brand: sk-live-1
  1: brand: must be a mapping, got text
replace | [acme/*] -> acme/*
  9: jobs.daily.profiles: must be a list, got "acme/*"
without | api_key
  2: workspaces.acme.api_key: is missing; give the workspace's API key, from the environment or .env: \${ACME_API_KEY}
top | currency: XQQ
  1: currency: must be an ISO 4217 code such as EUR, got "XQQ"
top | locale: en_GB
  1: locale: must be a language tag such as en-GB, got "en_GB"; did you mean "en-GB"?
top | language: fr
  1: language: must be one of de, en, got "fr"
top | data_dir: ~/data
  1: data_dir: must be a path without ~, got "~/data"; use \${HOME}
replace | https://social -> ftp://social
  3: workspaces.acme.base_url: must be an http or https address such as https://social.example.com/api/v1, got "ftp://social.example.com/api/v1"
replace | https://social -> https://me:4711@social
  3: workspaces.acme.base_url: must be an address without a user and a password
replace | /api/v1 -> /api/v1?a=b
  3: workspaces.acme.base_url: must be an address without ? and #, got "https://social.example.com/api/v1?a=b"
replace | 6f1c7a52 -> 6f1c
  6: workspaces.acme.profiles[0].id: must be a UUID such as 6f1c7a52-0f0e-4a58-9c1b-2f9b3f6f2d11, got "6f1c-0f0e-4a58-9c1b-2f9b3f6f2d11"
job | schedule: "15 5 * *"
  11: jobs.daily.schedule: must be five fields (minute hour day month weekday), got "15 5 * *"
job | schedule: "61 5 * * *"
  11: jobs.daily.schedule: must be a cron expression, got "61 5 * * *"; Invalid value for minute: 61
job | schedule: "0 0 30 2 *"
  11: jobs.daily.schedule: must match at least one time, got "0 0 30 2 *"
report | { report: emv, period: all, formats: [csv, xls] }
  12: jobs.daily.reports[0].formats[1]: must be one of csv, xlsx, html, pdf, json, parquet, md, table, got "xls"; did you mean "xlsx"?
report | { report: emv, period: all, out: "./{rport}" }
  12: jobs.daily.reports[0].out: must have no placeholders but {report} {job} {client} {from} {to} {date}, got "./{rport}"; did you mean "{report}"?
report | { report: emv }
  12: jobs.daily.reports[0].period: is missing; give the days of publication that the report covers: ${periods}
report | { report: emv, period: 2026-13 }
  12: jobs.daily.reports[0].period: must be ${periods}, got "2026-13"
report | { report: emv, period: last_moth }
  12: jobs.daily.reports[0].period: must be ${periods}, got "last_moth"; did you mean "last_month"?
report | { report: emv, period: { from: 2025-02-29 } }
  12: jobs.daily.reports[0].period.from: must be a day of the calendar, as YYYY-MM-DD, got "2025-02-29"
replace | name: Acme -> name: Acme, until: 2026-10-32
  6: workspaces.acme.profiles[0].until: must be a day of the calendar, as YYYY-MM-DD, got "2026-10-32"
replace | [acme/*] -> [Acme]
  9: jobs.daily.profiles[0]: must be <workspace>/<profile name or id or *>, got "Acme"
replace | daily: -> each day:
  8: jobs["each day"]: must be up to 64 letters, digits and . _ - and begin with a letter or a digit
top | timezone: ${'x'.repeat(100)}
  1: timezone: must be an IANA time zone such as Europe/Berlin, got "${'x'.repeat(60)}…"
end | webhooks: { token_header: "X Hook" }
  11: webhooks.token_header: must be the name of an HTTP header, got "X Hook"
`),
  )('name %s', async (_, text, problem) => {
    expect(await problemsOf(text, { knownReports })).toEqual([problem]);
  });

  it('below an invalid key are reported too, without showing a secret', async () => {
    const text = minimalJobs
      .replace('  acme:', '  "../acme":')
      .replace(/api_key: .*/, 'api_key: sk-live-1')
      .replace('[acme/*]', '[]');
    const problems = (await problemsOf(text)).join('\n');
    expect(problems).toContain('workspaces["../acme"]: must be up to 64 letters');
    expect(problems).toContain(
      'workspaces["../acme"].api_key: must be ${NAME}, the name of an environment variable',
    );
    expect(problems).not.toContain('sk-live-1');
  });
});
