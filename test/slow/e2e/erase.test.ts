import { existsSync } from 'node:fs';
import { appendFile, cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { runCli, writeFiles } from '../../support/cli.ts';
import { uuid } from '../../support/made-records.ts';
import { filesWith, member, namesOfAda, reviewedSite } from '../../support/reviewed-site.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

describe('erase', () => {
  it('takes a person out of every file, whatever id is given, and changes no total', async () => {
    const { folder, run, totals } = await reviewedSite();
    const before = await totals();
    await cp(join(folder, 'data'), join(folder, 'backup'), { recursive: true });
    expect(await filesWith(folder, namesOfAda)).not.toEqual([]);
    const dry = await run('erase', '--person', 'ADA@acme.example', '--dry-run');
    expect(dry.stdout).toBe(
      'Would be erased: 0 responses removed, 6 responses and events rewritten. Nothing was changed.\n',
    );
    expect((await run('erase', '--person', 'ada@acme.example')).code).toBe(2);
    const erased = await run('erase', '--person', 'ADA@acme.example', '--yes');
    expect(erased.code).toBe(0);
    expect(await filesWith(folder, namesOfAda)).toEqual([]);
    expect(await totals()).toBe(before);
    expect((await run('verify')).code).toBe(0);
    expect((await run('rebuild', '--check')).stdout).toContain('gives the same warehouse');

    // the API, a sender and a backup bring the person again
    await run('run', '--full');
    expect((await run('webhooks', 'ingest', 'events.json')).stdout).toContain('2 duplicate');
    expect(await filesWith(folder, namesOfAda)).toEqual([]);
    await cp(join(folder, 'backup', 'raw'), join(folder, 'data', 'raw'), { recursive: true });
    await rm(join(folder, 'data', 'postledger.duckdb'));
    await run('load');
    expect(await filesWith(folder, namesOfAda)).toEqual([]);
    expect(await totals()).toBe(before);
  });

  it('takes a person out of what kills and damage have left, and asks the warehouse for events that are damaged', async () => {
    const { folder, run, totals } = await reviewedSite();
    const before = await totals();
    const data = join(folder, 'data');
    const [body = ''] = (await filesIn(data)).filter((path) => path.endsWith('000003.json.gz'));
    const [event = '', other = ''] = (await filesIn(data)).filter((path) =>
      path.includes('_events/'),
    );
    const ada = gzipSync('[{"user":{"id":"u-4711","firstName":"Ada"');
    const uuids = '11111111-2222-4333-8444-555555555555';
    await writeFiles(folder, {
      [`data/reports/x.json.${uuids}.tmp`]: 'Ada asks',
      [`${relative(folder, event)}.${uuids}.tmp`]: 'Ada asks',
      'data/fetched/1/000001.manifest.json': 'Byron',
      [`data/raw/_events/00/${'0'.repeat(64)}.json`]: '{"event_key":"00","user":{"lastName":"Byron',
    });
    await writeFile(body.replace('000003', '000099'), ada);
    await writeFile(event, (await readFile(event)).subarray(0, 300));
    await appendFile(join(data, 'deliveries.jsonl'), '{"record":{"id":"Ada asks');
    const erased = await run('erase', '--person', 'u-4711', '--yes');
    expect(erased).toMatchObject({ code: 0 });
    expect(erased.stderr).toContain(`${'0'.repeat(64)}.json was damaged`);
    expect(await filesWith(folder, namesOfAda)).toEqual([]);
    expect(await totals()).toBe(before);
    expect(existsSync(event) && existsSync(other)).toBe(true);
    expect((await run('verify')).code).toBe(0);
    expect((await run('rebuild', '--check')).stdout).toContain('gives the same warehouse');
  });

  it('removes its own reports where it was moved to, and from a copy none of the site that it was copied from', async () => {
    const { folder, run } = await reviewedSite();
    const shared = await temporaryFolder();
    const jobs = await readFile(join(folder, 'jobs.yaml'), 'utf8');
    const value = 'report: value, period: all, formats: [csv, xlsx]';
    const configure = (entry: string) =>
      writeFile(join(folder, 'jobs.yaml'), jobs.replace(value, entry));
    await configure(`${value}, out: "${shared}"`);
    expect((await run('run')).code).toBe(0);
    // a format that is no longer asked for, and a file that somebody has changed
    await configure(`report: value, period: all, formats: [csv], out: "${shared}"`);
    expect((await run('run')).code).toBe(0);
    const changed = join(folder, 'out', 'workflow.html');
    await appendFile(changed, '<!-- mine -->');
    const written = async () =>
      [...(await filesIn(join(folder, 'out'))), ...(await filesIn(shared))].sort();
    const before = await written();
    expect(before.length).toBeGreaterThan(8);

    const copy = join(await temporaryFolder(), 'staging');
    await cp(folder, copy, { recursive: true });
    const erased = await runCli(['erase', '--person', 'u-4711', '--yes'], { cwd: copy });
    expect(erased).toMatchObject({ code: 0 });
    expect(erased.stderr).toContain(`${join(shared, 'value.xlsx')} is not as this site wrote it`);
    expect(await written()).toEqual(before);
    expect((await filesIn(join(copy, 'out'))).map((path) => basename(path))).toEqual([
      'workflow.html',
    ]);

    const moved = join(await temporaryFolder(), 'moved');
    await rename(folder, moved);
    expect((await runCli(['erase', '--person', 'u-4711', '--yes'], { cwd: moved })).code).toBe(0);
    expect(await filesIn(shared)).toEqual([]);
    expect(await filesIn(join(moved, 'out'))).toEqual([join(moved, 'out', 'workflow.html')]);
  });

  it('takes a profile out with its posts, details and events, and nothing of others, and says so of what the raw store has not', async () => {
    const { folder, run, configure, totals } = await reviewedSite();
    const unknown = await run('erase', '--person', 'nobody@acme.example', '--yes');
    expect(unknown).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Nothing was erased: there is nothing of this person\. /,
      ) as string,
    });
    expect((await run('erase', '--yes')).stderr).toContain('nothing was erased before');
    await cp(join(folder, 'data'), join(folder, 'backup'), { recursive: true });
    expect(await totals()).toBe('3,3000,4');
    const subject = `w/${member}`;
    const early = await run('erase', '--profile', subject, '--yes');
    expect(early.code).toBe(2);
    expect(early.stderr).toContain(`jobs.yaml still has ${subject}`);
    await configure('');
    expect((await run('erase', '--profile', subject, '--yes')).code).toBe(0);
    const texts = [member, 'Ada of Acme', uuid(2), uuid(12), 'Post 3'];
    expect(await filesWith(folder, texts)).toEqual([]);
    expect(await totals()).toBe('1,1000,2');
    expect((await run('verify')).code).toBe(0);

    // a backup that was restored under the record of what was erased
    await cp(join(folder, 'backup', 'raw'), join(folder, 'data', 'raw'), { recursive: true });
    await cp(
      join(folder, 'backup', 'postledger.duckdb'),
      join(folder, 'data', 'postledger.duckdb'),
    );
    expect((await run('erase', '--yes')).code).toBe(0);
    expect(await filesWith(folder, texts)).toEqual([]);
    expect(await totals()).toBe('1,1000,2');
  });
});
