import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../../src/config/config-error.ts';
import type { Config } from '../../src/config/config.ts';
import { loadConfig, type LoadConfigOptions } from '../../src/config/load-config.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The smallest valid config. */
export const minimalJobs = `workspaces:
  acme:
    base_url: https://social.example.com/api/v1
    api_key: \${ACME_API_KEY}
    profiles:
      - { id: 6f1c7a52-0f0e-4a58-9c1b-2f9b3f6f2d11, name: Acme }
jobs:
  daily:
    profiles: [acme/*]
    windows: { days: 400 }
`;

/** Every key, with values that differ from the defaults. */
export const wholeJobs = `timezone: europe/berlin
currency: EUR
locale: en-GB
brand: { name: Fjord & Pine, logo: ./logo.svg, color: "#0b5fa5" }
cpm_band: { low: 20, high: 45 }
data_dir: ./store
warehouse: ../warehouse.duckdb
workspaces:
  acme:
    base_url: https://social.example.com/api/v1/
    api_key: \${ACME_API_KEY}
    rate_limit: { requests: 20, per_seconds: 2.5 }
    concurrency: 8
    timeout_seconds: 5
    slug: acme-inc
    linked_post_field: plannedPost
    profiles:
      - { id: 6F1C7A52-0f0e-4a58-9c1b-2f9b3f6f2d11, name: Acme, cpm: 30 }
      - { id: 6f1c7a52-0f0e-4a58-9c1b-2f9b3f6f2d12, name: Acme Careers, until: 2025-10-13 }
  other:
    base_url: http://localhost:8080/api/v1
    api_key: \${OTHER_API_KEY}
jobs:
  weekly:
    schedule: " 15  5 * * MON "
    profiles: [acme/6F1C7A52-0F0E-4A58-9C1B-2F9B3F6F2D12, acme/Acme]
    windows: { start: 2025-01-01, size_days: 7, refresh_days: 0 }
    details: [post, approvals, post]
    reports:
      - report: emv
        period: last_month
        formats: [csv, json, csv]
        out: /srv/{job}/{report}-{from}-{to}-{date}
        cpm: 12.5
        compare: year
      - report: mine
        period: { from: 2025-01-01 }
  monthly:
    profiles: [acme/*]
    windows: { days: 400 }
webhooks:
  host: 0.0.0.0
  port: 9000
  token: \${WEBHOOK_TOKEN}
  token_header: X-Hook-Token
  signing_secret:
    - \${WEBHOOK_SIGNING_SECRET}
    - \${OLD_SIGNING_SECRET}
  trust_proxy: true
  metrics_port: 9464
`;

/** The minimal config, with `lines` before it. */
export function top(lines: string): string {
  return `${lines}\n${minimalJobs}`;
}

/** The minimal config with more lines in its job. */
export function inJob(lines: string): string {
  return `${minimalJobs}    ${lines.replaceAll('\n', '\n    ')}\n`;
}

/** The minimal config with more lines in its workspace. */
export function inWorkspace(lines: string): string {
  return minimalJobs.replace(
    '    profiles:',
    `    ${lines.replaceAll('\n', '\n    ')}\n    profiles:`,
  );
}

/** The minimal config with more keys in its profile. */
function inProfile(keys: string): string {
  return minimalJobs.replace('name: Acme }', `name: Acme, ${keys} }`);
}

/** The minimal config with a second profile. */
function withProfile(profile: string): string {
  return minimalJobs.replace('name: Acme }', `name: Acme }\n      - ${profile}`);
}

/** The minimal config with other windows. */
export function windows(keys: string): string {
  return minimalJobs.replace('{ days: 400 }', keys);
}

/** What a line of a table of cases says of the minimal config, by its first word. */
const changes: Readonly<Record<string, (text: string) => string>> = {
  top,
  job: inJob,
  report: (entry) => inJob(`reports:\n  - ${entry}`),
  workspace: inWorkspace,
  profile: inProfile,
  profiles: withProfile,
  windows,
  end: (lines) => `${minimalJobs}${lines}\n`,
  only: (lines) => `${lines}\n`,
  without: (key) => minimalJobs.replace(new RegExp(`.*${key}.*\n`), ''),
  replace: (text) => {
    const [from = '', to = ''] = text.split(' -> ');
    return minimalJobs.replace(from, to);
  },
};

/**
 * Reads a table of cases: a line such as `job | details: yes`, in which `\\n` ends a line of the config, and below it the
 * problem that this has.
 * @param more further first words
 */
export function casesOf(
  table: string,
  more: Readonly<Record<string, (text: string) => string>> = {},
): [line: string, config: string, problem: string][] {
  const lines = table.trim().split('\n');
  return lines.flatMap((line, index): [string, string, string][] => {
    if (index % 2 === 1) return [];
    const [, name = '', text = ''] = /^(.*?) \| (.*)$/.exec(line) ?? [];
    const change = more[name] ?? changes[name];
    if (!change) throw new Error(`no change is called ${name}`);
    return [[line, change(text.replaceAll('\\n', '\n')), lines[index + 1]?.trim() ?? '']];
  });
}

export interface JobsFile {
  readonly text: string | Uint8Array;
  /** The text of `.env` beside it. */
  readonly env?: string;
}

/** Writes the config into a fresh folder. @returns the absolute path */
export async function writeJobsFile({ text, env }: JobsFile): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'jobs.yaml'), text);
  if (env !== undefined) await writeFile(join(folder, '.env'), env, { mode: 0o600 });
  return join(folder, 'jobs.yaml');
}

/** Loads the config on 2026-01-15 at noon in UTC, with only the variables in `.env`. */
export async function loadJobs(
  file: JobsFile | string,
  options: Partial<LoadConfigOptions> = {},
): Promise<Config> {
  const path = await writeJobsFile(typeof file === 'string' ? { text: file } : file);
  const now = new Date('2026-01-15T12:00:00Z');
  return loadConfig({ file: path, environment: {}, now, ...options });
}

/** The problems of the config, a line each, without the file name: `3: timezone: must be …`. */
export async function problemsOf(
  file: JobsFile | string,
  options: Partial<LoadConfigOptions> = {},
): Promise<string[]> {
  try {
    await loadJobs(file, options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const lines = error.message.split('\n');
    const own = lines.length > 1 ? lines.slice(1) : lines;
    return own.map((line) => line.trim().replace(/^jobs\.yaml:(?: (?=must|not valid))?/, ''));
  }
  return [];
}
