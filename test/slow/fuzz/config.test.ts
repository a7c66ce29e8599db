import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { ConfigError } from '../../../src/config/config-error.ts';
import type { Config } from '../../../src/config/config.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { UsageError } from '../../../src/core/errors.ts';
import { planNow } from '../../../src/pipeline/plan-now.ts';
import { planCost } from '../../../src/plan/plan-job.ts';
import { crontabLines } from '../../../src/schedule/crontab.ts';
import { assertHolds, fuzzTimeoutMs } from '../../support/fuzz.ts';
import { minimalJobs, wholeJobs } from '../../support/jobs-file.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { asBytes, mutated } from '../../support/mutated-text.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const secret = 'sk-canary-4711-0815';
const environment = Object.fromEntries(
  ['ACME_API_KEY', 'OTHER_API_KEY', 'WEBHOOK_TOKEN', 'WEBHOOK_SIGNING_SECRET'].map((name) => [
    name,
    secret,
  ]),
);
const clock = new ManualClock();

/** Parts of YAML that readers of it have stumbled over, and of this file. */
const fragment = fc.oneof(
  fc.constantFrom(
    ...[
      '&a ',
      '*a',
      '<<: *a',
      '<<: [*a, *a]',
      '!!binary ',
      '!!set ',
      '!foo ',
      '? ',
      '- ',
      ': ',
      '\n---\n',
    ],
    ...[
      '%YAML 1.1\n',
      '|',
      '>-\n',
      '"',
      "'",
      '{',
      '}',
      '[',
      ']',
      '#',
      '\t',
      '\0',
      '\u2028',
      '\u{1F600}',
    ],
    ...[
      '\n    ',
      '\n  ',
      '${ACME_API_KEY}',
      '${NOPE}',
      '${',
      '$',
      '\\',
      '/',
      '..',
      '*',
      'null',
      '~',
      'yes',
    ],
    ...[
      '0x1F',
      '1e400',
      '-1',
      '.inf',
      '.nan',
      '9223372036854775808',
      '2025-02-30',
      '__proto__',
      'constructor',
    ],
    ...[
      'workspaces:',
      'jobs:',
      'windows:',
      'api_key: ',
      'profiles: ',
      'x'.repeat(5_000),
      '['.repeat(300),
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    true,
    '',
    0,
    -1,
    1.5,
    1e21,
    Infinity,
    NaN,
    '${ACME_API_KEY}',
    '~',
    '../x',
    '*',
  ),
  fc.constantFrom(
    '2025-01-01',
    '0000-00-00',
    '9999-12-31',
    '* * * * *',
    '0 0 30 2 *',
    'emv',
    'acme/*',
  ),
  fc.constantFrom(
    'Europe/Berlin',
    'EST5EDT',
    '+02:00',
    'de',
    'x-y',
    'i-klingon',
    'EUR',
    'http://[::1]/api/v1',
  ),
  fc.integer(),
  fc.double(),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A value that the place takes, now and then one that it does not. */
function mostly(...right: unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 60, arbitrary: fc.constantFrom(...right) }, oddValue);
}

function listOf(item: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 60, arbitrary: fc.array(item, { minLength: 1, maxLength: 3 }) },
    oddValue,
  );
}

/** A mapping in which any key but the `needed` may be missing, and now and then one is that nobody knows. */
function mapping(
  needed: Record<string, fc.Arbitrary<unknown>>,
  others: Record<string, fc.Arbitrary<unknown>>,
) {
  const known = fc.record({ ...needed, ...others }, { requiredKeys: Object.keys(needed) });
  const stray = fc.dictionary(fc.constantFrom('', 'acme', 'windows', 'api_key', 'días'), oddValue, {
    maxKeys: 1,
  });
  return fc.oneof(
    { weight: 60, arbitrary: known },
    fc.tuple(known, stray).map(([own, more]) => ({ ...own, ...more })),
    oddValue,
  );
}

const uuid = mostly('6f1c7a52-0f0e-4a58-9c1b-2f9b3f6f2d11', '6F1C7A52-0F0E-4A58-9C1B-2F9B3F6F2D12');
const amount = mostly(0, 30, 12.5, 1e300);
const whole = mostly(1, 7, 30, 36_525);
const profile = mapping({ id: uuid, name: mostly('Acme', 'Öl', '*') }, { cpm: amount });
const workspace = mapping(
  {
    base_url: mostly('https://social.example.com/api/v1', 'http://localhost:1/api/v1/'),
    api_key: mostly('${ACME_API_KEY}', '${OTHER_API_KEY}'),
  },
  {
    rate_limit: mapping({}, { requests: whole, per_seconds: mostly(1, 60, 2.5) }),
    concurrency: mostly(1, 4),
    timeout_seconds: mostly(5, 0.5),
    slug: mostly('acme', 'other'),
    linked_post_field: mostly('servicePost', 'a"b', '/'),
    profiles: listOf(profile),
  },
);
const period = fc.oneof(
  mostly('last_month', 'all', 'this_year'),
  mapping({}, { from: mostly('2025-01-01'), to: mostly('2025-12-31') }),
);
const report = mapping(
  { report: mostly('emv', 'mine') },
  {
    period,
    formats: listOf(mostly('csv', 'html')),
    out: mostly('./out/{report}-{to}', '{date}/{job}'),
    cpm: amount,
    compare: mostly('year', 'none'),
  },
);
const job = mapping(
  {
    profiles: listOf(mostly('acme/*', 'acme/Acme', 'other/*')),
    windows: fc.oneof(
      mapping({ days: whole }, { size_days: whole, refresh_days: whole }),
      mapping({ start: mostly('2025-01-01', '1970-01-01') }, { size_days: whole }),
    ),
  },
  {
    schedule: mostly('15 5 * * *', '*/7 1-5 1,15 * MON#2'),
    details: mostly(true),
    reports: listOf(report),
  },
);
const tree = mapping(
  { workspaces: mapping({ acme: workspace }, { other: workspace }) },
  {
    timezone: mostly('UTC', 'europe/berlin', 'Pacific/Kiritimati'),
    currency: mostly('EUR'),
    locale: mostly('en-GB', 'ar-EG'),
    brand: mapping({}, { name: mostly('A'), logo: mostly('./logo.svg'), color: mostly('#0b5fa5') }),
    cpm_band: mapping({ low: amount, high: amount }, {}),
    data_dir: mostly('./store'),
    warehouse: mostly('../w.duckdb'),
    jobs: mapping({}, { daily: job, weekly: job }),
    webhooks: mapping(
      {},
      {
        host: mostly('127.0.0.1', '0.0.0.0'),
        port: mostly(0, 9000),
        token: mostly('${WEBHOOK_TOKEN}'),
        signing_secret: listOf(mostly('${WEBHOOK_SIGNING_SECRET}')),
        token_header: mostly('X-Hook'),
        metrics_port: mostly(9464),
      },
    ),
  },
);

/** Loads it, and for what is accepted plans each job. */
async function judge(folder: string, bytes: string | Uint8Array): Promise<'accepted' | 'refused'> {
  const file = join(folder, 'jobs.yaml');
  await writeFile(file, bytes);
  let config: Config;
  try {
    config = await loadConfig({ file, environment, now: clock.now() });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    holdRefusal(error as ConfigError);
    return 'refused';
  }
  expect(config.warnings.join('\n')).not.toContain(secret);
  expect(JSON.stringify([...config.jobs, ...config.workspaces])).not.toContain(secret);
  holdCrontab(config);
  await planAll({ ...config, dataDir: folder, warehouse: join(folder, 'none.duckdb') });
  return 'accepted';
}

function holdRefusal(error: ConfigError): void {
  expect(error.exitCode).toBe(2);
  expect(error.message).toContain('jobs.yaml');
  expect(error.message).not.toContain(secret);
  for (const { path, line } of error.problems)
    expect(path.length > 0 || line !== null || error.problems.length === 1).toBe(true);
}

async function planAll(config: Config): Promise<void> {
  const request = { full: false, from: null, to: null };
  for (const { workspaces } of await planNow([...config.jobs.values()], request, {
    config,
    clock,
  })) {
    for (const plan of workspaces) {
      const limit = config.workspaces.get(plan.workspace)?.rateLimit ?? {
        requests: 1,
        perSeconds: 1,
      };
      expect(Number.isFinite(planCost(plan, limit).seconds)).toBe(true);
    }
  }
}

function holdCrontab(config: Config): void {
  try {
    const lines = crontabLines(config, {
      program: ['/usr/bin/postledger'],
      machineTimezone: 'UTC',
    });
    expect(lines.filter((line) => /[\n\r\0]/.test(line))).toEqual([]);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
  }
}

/** How many of the files were accepted, so that the property is not about refusals alone. */
async function fuzzFiles(files: fc.Arbitrary<string | Uint8Array>, runs: number): Promise<number> {
  const folder = await temporaryFolder();
  let accepted = 0;
  await assertHolds(
    fc.asyncProperty(files, async (bytes) => {
      if ((await judge(folder, bytes)) === 'accepted') accepted += 1;
    }),
    runs,
  );
  return accepted;
}

test(
  'a jobs.yaml with anything gone, doubled or put in is a config that plans, or refused with its place',
  async () => {
    const files = asBytes(mutated([minimalJobs, wholeJobs], fragment));
    expect(await fuzzFiles(files, 300)).toBeGreaterThan(0);
  },
  fuzzTimeoutMs,
);

test(
  'a jobs.yaml of the right keys with odd values is a config that plans, or refused with its place',
  async () => {
    const files = tree.map((value) => stringify(value, { aliasDuplicateObjects: true }));
    expect(await fuzzFiles(files, 300)).toBeGreaterThan(0);
  },
  fuzzTimeoutMs,
);
