import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config/config-error.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { Secret } from '../../src/config/secret.ts';
import { selectJobs } from '../../src/config/select.ts';
import { UsageError } from '../../src/core/errors.ts';
import { loadJobs, minimalJobs, wholeJobs, writeJobsFile } from '../support/jobs-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const now = new Date('2026-01-15T12:00:00Z');

describe('a config', () => {
  it('has all settings of the file, with absolute paths and resolved profile patterns', async () => {
    const file = await writeJobsFile({ text: wholeJobs, env: 'ACME_API_KEY=key-a\n' });
    const environment = { WEBHOOK_TOKEN: 'token-of-webhooks' };
    const config = await loadConfig({ file, environment, now });
    const folder = dirname(file);
    const acme = {
      workspace: 'acme',
      id: '6f1c7a52-0f0e-4a58-9c1b-2f9b3f6f2d11',
      name: 'Acme',
      cpm: 30,
      prices: null,
      until: null,
    };
    const careers = {
      workspace: 'acme',
      id: '6f1c7a52-0f0e-4a58-9c1b-2f9b3f6f2d12',
      name: 'Acme Careers',
      cpm: null,
      prices: null,
      until: '2025-10-13',
    };
    const secret = (variable: string, line: number, path: string, value?: string) =>
      new Secret(variable, `jobs.yaml:${line}: ${path}`, value);
    const report = {
      client: null,
      filters: { labels: [], campaigns: [], types: [] },
      set: {},
      cpm: null,
      prices: null,
      allowsInternal: false,
      comment: null,
      copy: {},
      deliver: [],
      compare: 'previous',
    };
    const job = {
      ping: null,
      schedule: null,
      staleAfterMs: null,
      profiles: [acme, careers],
      details: [],
      targets: {},
      figures: null,
      notes: [],
      reports: [],
      deliver: [],
    };
    expect(config).toEqual({
      file,
      folder,
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      locale: 'en-GB',
      language: 'en',
      brand: {
        name: 'Fjord & Pine',
        logo: join(folder, 'logo.svg'),
        color: '#0b5fa5',
        productMark: true,
      },
      clients: new Map(),
      cpmBand: { low: 20, high: 45 },
      prices: new Map(),
      pdf: { browser: null },
      mail: null,
      s3: null,
      retention: { outboxDays: 30, outDays: null },
      metricsFile: null,
      notify: [],
      dataDir: join(folder, 'store'),
      warehouse: join(dirname(folder), 'warehouse.duckdb'),
      workspaces: new Map([
        [
          'acme',
          {
            key: 'acme',
            baseUrl: 'https://social.example.com/api/v1/',
            apiKey: secret('ACME_API_KEY', 11, 'workspaces.acme.api_key', 'key-a'),
            rateLimit: { requests: 20, perSeconds: 2.5 },
            concurrency: 8,
            timeoutSeconds: 5,
            slugs: ['acme-inc'],
            linkedPostField: 'plannedPost',
            profiles: [acme, careers],
          },
        ],
        [
          'other',
          {
            key: 'other',
            baseUrl: 'http://localhost:8080/api/v1',
            apiKey: secret('OTHER_API_KEY', 22, 'workspaces.other.api_key'),
            rateLimit: { requests: 100, perSeconds: 60 },
            concurrency: 4,
            timeoutSeconds: 30,
            slugs: ['other'],
            linkedPostField: 'servicePost',
            profiles: [],
          },
        ],
      ]),
      jobs: new Map([
        [
          'weekly',
          {
            ...job,
            name: 'weekly',
            schedule: '15  5 * * MON',
            windows: { start: '2025-01-01', days: null, sizeDays: 7, refreshDays: 0 },
            details: ['post', 'approvals'],
            reports: [
              {
                ...report,
                report: 'emv',
                index: 0,
                period: 'last_month',
                formats: ['csv', 'json'],
                out: '/srv/{job}/{report}-{from}-{to}-{date}',
                cpm: 12.5,
                prices: null,
                compare: 'year',
              },
              {
                ...report,
                report: 'mine',
                index: 1,
                period: { from: '2025-01-01', to: null },
                formats: ['csv', 'xlsx', 'html'],
                out: join(folder, 'out', '{report}-{to}'),
              },
            ],
            deliver: [{ client: null, deliveries: [] }],
          },
        ],
        [
          'monthly',
          {
            ...job,
            name: 'monthly',
            windows: { start: null, days: 400, sizeDays: 30, refreshDays: 35 },
          },
        ],
      ]),
      review: null,
      webhooks: {
        host: '0.0.0.0',
        port: 9000,
        tokens: [secret('WEBHOOK_TOKEN', 44, 'webhooks.token', 'token-of-webhooks')],
        tokenHeader: 'X-Hook-Token',
        signingSecrets: [
          secret('WEBHOOK_SIGNING_SECRET', 47, 'webhooks.signing_secret[0]'),
          secret('OLD_SIGNING_SECRET', 48, 'webhooks.signing_secret[1]'),
        ],
        trustProxy: true,
        metricsPort: 9464,
      },
      warnings: [],
    });
    expect(config.workspaces.get('acme')?.apiKey.reveal()).toBe('key-a');
    expect(config.webhooks?.tokens[0]?.reveal()).toBe('token-of-webhooks');
  });

  it('has defaults for all optional settings', async () => {
    const config = await loadJobs(minimalJobs);
    expect(config).toMatchObject({
      timezone: 'UTC',
      currency: 'USD',
      locale: 'en-US',
      brand: null,
      cpmBand: null,
      prices: new Map(),
      dataDir: join(config.folder, 'data'),
      warehouse: join(config.folder, 'data', 'postledger.duckdb'),
      webhooks: null,
      warnings: [],
    });
    expect((await loadJobs(`${minimalJobs}webhooks: {}\n`)).webhooks).toEqual({
      host: '127.0.0.1',
      port: 8787,
      tokens: [],
      tokenHeader: null,
      signingSecrets: [],
      trustProxy: false,
      metricsPort: null,
    });
  });

  it('that does not exist is reported with the ways to create or name one', async () => {
    const file = join(await temporaryFolder(), 'jobs.yaml');
    await expect(loadConfig({ file, environment: {}, now })).rejects.toThrow(
      new ConfigError(
        `${file} does not exist; create one with postledger init, or name another with --config`,
      ),
    );
  });

  it('that is not a file, or not text, is reported', async () => {
    const file = await writeJobsFile({ text: new Uint8Array([0x61, 0x3a, 0x20, 0xff, 0xfe]) });
    await expect(loadConfig({ file, environment: {}, now })).rejects.toThrow(
      `${file} is not text in UTF-8; save it in that encoding`,
    );
    await rm(file);
    await mkdir(file);
    await expect(loadConfig({ file, environment: {}, now })).rejects.toThrow(
      /jobs\.yaml cannot be read: EISDIR/,
    );
  });
});

describe('a likely mistake that is allowed', () => {
  it('is reported in a warning with its place', async () => {
    const text = `${minimalJobs
      .replace('https://social.example.com/api/v1', 'http://social.example.com/')
      .replace('[acme/*]', '[acme/Acme, acme/*]')}    reports:
      - { report: emv, period: last_month }
      - { report: emv, period: all }
      - { report: emv, period: all, out: "./out/{report}-{from}" }
`;
    const { warnings, jobs } = await loadJobs(text);
    expect(warnings).toEqual([
      'jobs.yaml:3: workspaces.acme.base_url: http sends the API key unencrypted; https does not',
      'jobs.yaml:3: workspaces.acme.base_url: does not end in /api/v1, as addresses of the API do',
      'jobs.yaml:9: jobs.daily.profiles[1]: "acme/*" names "Acme", as "acme/Acme" does; the profile is read once',
      'jobs.yaml:13: jobs.daily.reports[1].out: another emv report also goes to "./out/{report}-{to}" and may overwrite this one; add {job} or {from} to out',
    ]);
    expect(jobs.get('daily')?.profiles).toHaveLength(1);
  });

  it('is a name that two profiles share, in a job or for a client', async () => {
    const ids = ['6f1c7a52-0f0e-4a58-9c1b-2f9b3f6f2d11', '6f1c7a52-0f0e-4a58-9c1b-2f9b3f6f2d12'];
    const text = minimalJobs
      .replace('name: Acme }', `name: Acme }\n      - { id: ${ids[1]}, name: Acme }`)
      .replace('jobs:', 'clients:\n  one: { name: One, profiles: [acme/Acme] }\njobs:');
    const said = (line: number, path: string) =>
      `jobs.yaml:${line}: ${path}.profiles[0]: "acme/Acme" names 2 profiles, ${ids.join(' and ')}; to name one of them, write its id instead of the name`;
    expect((await loadJobs(text)).warnings).toEqual([said(9, 'clients.one')]);
    const { warnings } = await loadJobs(text.replace('[acme/*]', '[acme/Acme]'));
    expect(warnings).toEqual([said(9, 'clients.one'), said(12, 'jobs.daily')]);
    expect((await loadJobs(text.replace('[acme/Acme]', `[acme/${ids[0]}]`))).warnings).toEqual([]);
  });

  it('can be a config without jobs, which run then refuses', async () => {
    const config = await loadJobs(minimalJobs.replace(/jobs:[^]*/, ''));
    expect(config.warnings).toEqual(['jobs.yaml:1: has no jobs, so there is nothing to run']);
    expect(() => selectJobs(config, [])).toThrow(UsageError);
  });
});

describe('jobs by name', () => {
  it('are all jobs if none is named, each named job once, and an error if unknown', async () => {
    const config = await loadJobs(wholeJobs);
    const names = (wanted: readonly string[]) => selectJobs(config, wanted).map(({ name }) => name);
    expect(names([])).toEqual(['weekly', 'monthly']);
    expect(names(['monthly', 'weekly', 'monthly'])).toEqual(['monthly', 'weekly']);
    expect(() => names(['wekly'])).toThrow(
      new UsageError(`no job "wekly" in ${config.file}; did you mean "weekly"?`),
    );
  });
});
