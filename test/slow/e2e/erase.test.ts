import { existsSync } from 'node:fs';
import { appendFile, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { writeFiles } from '../../support/cli.ts';
import { uuid } from '../../support/made-records.ts';
import { filesWith, member, namesOfAda, reviewedSite } from '../../support/reviewed-site.ts';

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
      'data/removed/1/000001.manifest.json': 'Byron',
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

  it('takes a profile out with its posts, details and events, and nothing of others, and refuses what the raw store has not', async () => {
    const { folder, run, configure, totals } = await reviewedSite();
    const unknown = await run('erase', '--person', 'nobody@acme.example', '--yes');
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('the raw store has nothing of this person');
    expect((await run('erase', '--yes')).stderr).toContain('nothing was erased before');
    await cp(join(folder, 'data'), join(folder, 'backup'), { recursive: true });
    expect(await totals()).toBe('3,3000,4');
    const subject = `acme/${member}`;
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
