import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { uuid } from '../../support/made-records.ts';
import { filesWith, member, namesOfAda, reviewedSite } from '../../support/reviewed-site.ts';

describe('erase', () => {
  it('takes a person out of every file, whatever id is given, and changes no total', async () => {
    const { folder, run, totals } = await reviewedSite();
    const before = await totals();
    expect(await filesWith(folder, namesOfAda)).not.toEqual([]);
    const dry = await run('erase', '--person', 'ADA@acme.example', '--dry-run');
    expect(dry.stdout).toBe(
      'Would be erased: 2 responses or events removed, 4 responses rewritten. Nothing was changed.\n',
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
    await run('webhooks', 'ingest', 'events.json');
    // what it says it does not change
    await run('load', '--dry-run');
    expect(await filesWith(folder, namesOfAda)).toHaveLength(2);
    await run('load');
    expect(await filesWith(folder, namesOfAda)).toEqual([]);
    expect(await totals()).toBe(before);
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
