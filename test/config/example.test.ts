import { chmod, cp, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jobsJsonSchemaText } from '../../src/config/jobs-schema.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { defaultSandbox } from '../../src/sandbox/identity.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '..', '..');
const now = new Date('2026-01-15T12:00:00Z');

async function loadExample() {
  const folder = await temporaryFolder();
  await cp(join(root, 'jobs.yaml'), join(folder, 'jobs.yaml'));
  await cp(join(root, '.env.example'), join(folder, '.env'));
  await chmod(join(folder, '.env'), 0o600);
  return loadConfig({ file: join(folder, 'jobs.yaml'), environment: {}, now });
}

describe('the jobs.yaml of the repository', () => {
  it('reads the profiles with analytics of the sandbox at its address, and receives its events', async () => {
    const config = await loadExample();
    const halden = config.workspaces.get('halden');
    const served = defaultSandbox.profiles.filter(({ kind }) => kind !== 'engagement');
    expect(halden?.profiles.map(({ id, name }) => ({ id, name }))).toEqual(
      served.map(({ id, name }) => ({ id, name })),
    );
    expect(halden?.baseUrl).toBe(`http://127.0.0.1:${defaultSandbox.port}/api/v1`);
    expect(halden?.apiKey.reveal()).toBe(defaultSandbox.keys.valid);
    expect(halden?.slugs).toEqual([defaultSandbox.workspace.slug]);
    const { webhooks } = config;
    expect([webhooks?.host, webhooks?.port]).toEqual(['127.0.0.1', 8787]);
    expect(webhooks?.tokens.map((token) => token.reveal())).toEqual(['sandbox-webhook-token']);
  });

  it('has a job of two years for all profiles, with all reports and no warning', async () => {
    const { jobs, warnings } = await loadExample();
    const daily = jobs.get('daily');
    expect(warnings).toEqual([]);
    expect(daily?.profiles).toHaveLength(5);
    expect(daily?.windows).toEqual({ start: null, days: 730, sizeDays: 30, refreshDays: 35 });
    expect(daily?.reports.map(({ report, formats }) => [report, ...formats])).toEqual([
      ['emv', 'csv', 'xlsx', 'html'],
      ['engagement', 'csv', 'xlsx', 'html'],
      ['video', 'csv', 'xlsx', 'html'],
      ['quality', 'html'],
    ]);
  });

  it('names the JSON Schema that the build writes in its first line', async () => {
    const [first] = (await readFile(join(root, 'jobs.yaml'), 'utf8')).split('\n');
    const path = first?.replace('# yaml-language-server: $schema=', '') ?? '';
    expect(await readFile(join(root, path), 'utf8')).toBe(jobsJsonSchemaText());
  });
});
