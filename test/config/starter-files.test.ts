import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jobsJsonSchemaText } from '../../src/config/jobs-schema.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { writeStarterFiles } from '../../src/config/starter-files.ts';
import { UsageError } from '../../src/core/errors.ts';
import { defaultSandbox } from '../../src/sandbox/identity.ts';
import { builtInReports, listReportNames } from '../../src/report/report-catalog.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function refusal(what: string, folder: string, them: string): string {
  return `${what} already in ${folder}: use an empty folder, for example \`mkdir analytics && cd analytics && postledger init\`; to start over here, keep a copy and use --force, which replaces ${them}`;
}

/** Writes them into a fresh folder. */
async function starter(sandbox = false) {
  const folder = await temporaryFolder();
  const file = join(folder, 'jobs.yaml');
  const env = join(folder, '.env.example');
  const written = await writeStarterFiles({ file, force: false, sandbox });
  return { folder, file, env, written };
}

describe('the starter files', () => {
  it('are a valid config, the variables that it names, and its schema', async () => {
    const { folder, file, env: envFile, written } = await starter();
    const schema = join(folder, 'jobs.schema.json');
    expect(written).toEqual([file, envFile, schema]);
    const now = new Date('2026-01-15T12:00:00Z');
    const knownReports = await listReportNames([builtInReports]);
    const config = await loadConfig({ file, environment: {}, now, knownReports });
    expect(config.warnings).toEqual([]);
    expect([...config.jobs.values()].map(({ details }) => details)).toEqual([[]]);
    const variables = [...config.workspaces.values()].map(({ apiKey }) => apiKey.variable);
    const env = await readFile(envFile, 'utf8');
    expect([...env.matchAll(/^(\w+)=/gm)].map(([, name]) => name)).toEqual(variables);
    expect(await readFile(schema, 'utf8')).toBe(jobsJsonSchemaText());
    expect((await readFile(file, 'utf8')).split('\n')[0]).toBe(
      '# yaml-language-server: $schema=./jobs.schema.json',
    );
  });

  it('have sections for review and webhooks that are valid once they are uncommented', async () => {
    const { file, env: envFile } = await starter();
    const text = await readFile(file, 'utf8');
    const start = text.indexOf('# mail:');
    await writeFile(file, text.slice(0, start) + text.slice(start).replaceAll(/^# /gm, ''));
    const { review, webhooks } = await loadConfig({ file, environment: {}, now: new Date() });
    expect(webhooks).toMatchObject({ port: 8787, tokenHeader: 'X-Hook-Token', metricsPort: 9464 });
    expect(review).toMatchObject({ to: ['anna@acme.example'], days: 14 });
    const named = [...(webhooks?.tokens ?? []), ...(webhooks?.signingSecrets ?? [])];
    const env = await readFile(envFile, 'utf8');
    expect([...env.matchAll(/^# (\w+)=$/gm)].map(([, name]) => name)).toEqual(
      named.map(({ variable }) => variable),
    );
  });

  it('read the sandbox with the key in .env, if they are for it', async () => {
    const { folder, file } = await starter(true);
    const config = await loadConfig({ file, environment: {}, now: new Date() });
    const [workspace] = config.workspaces.values();
    expect(workspace?.baseUrl).toBe(`http://127.0.0.1:${defaultSandbox.port}/api/v1`);
    expect(workspace?.apiKey.reveal()).toBe(defaultSandbox.keys.valid);
    expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);
    expect((await readFile(file, 'utf8')).split('\n')[0]).toBe(
      '# yaml-language-server: $schema=./jobs.schema.json',
    );
    await expect(writeStarterFiles({ file, force: false, sandbox: true })).rejects.toThrow(
      'jobs.yaml and .env.example and .env exist already',
    );
  });

  it('change nothing if one of them exists, and name it', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'jobs.yaml');
    await writeFile(join(folder, '.env.example'), 'mine');
    await expect(writeStarterFiles({ file, force: false, sandbox: false })).rejects.toThrow(
      new UsageError(refusal('.env.example exists', folder, 'it')),
    );
    expect(await readdir(folder)).toEqual(['.env.example']);
    await writeFile(file, 'mine');
    await expect(writeStarterFiles({ file, force: false, sandbox: false })).rejects.toThrow(
      new UsageError(refusal('jobs.yaml and .env.example exist', folder, 'them')),
    );
    await writeStarterFiles({ file, force: true, sandbox: false });
    expect(await readFile(file, 'utf8')).toContain('workspaces:');
    expect(await readFile(join(folder, '.env.example'), 'utf8')).toContain('ACME_API_KEY=');
  });

  it('are written to the place that --config names, whether its folder exists or not', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'there'));
    for (const file of [join(folder, 'there', 'linkedin.yaml'), join(folder, 'new', 'jobs.yaml')])
      await writeStarterFiles({ file, force: false, sandbox: false });
    expect((await readdir(join(folder, 'there'))).toSorted()).toEqual([
      '.env.example',
      'jobs.schema.json',
      'linkedin.yaml',
    ]);
    expect(await readdir(join(folder, 'new'))).toContain('jobs.yaml');
  });
});
