import { execFileSync } from 'node:child_process';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { openPart } from '../../src/landing/landing-part.ts';
import { findingsIn } from '../support/archived-data.ts';
import {
  analyticsRecord,
  configOf,
  finishOf,
  landAnalytics,
  landRun,
  load,
  recordOf,
  rowsOf,
} from '../support/landed-run.ts';
import { compareWithRebuilt } from '../support/rebuilding.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { warningLog } from '../support/warning-log.ts';

const run = recordOf().run_id;

async function damage(config: Config, file: string): Promise<string> {
  const path = join(config.dataDir, 'landing/acme', run, file);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.slice(0, -9));
  return text;
}

async function filesAside(config: Config): Promise<string[]> {
  const entries = await readdir(join(config.dataDir, 'quarantine/acme'), {
    recursive: true,
    withFileTypes: true,
  });
  const root = join(config.dataDir, 'quarantine/acme');
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

describe('a run that is damaged once more, as when it came back from a backup', () => {
  test.each<[string, string[]]>([
    ['run.json', ['000001.body.gz', '000001.manifest.json', 'finish.json', 'run.json']],
    ['000001.manifest.json', ['000001.body.gz', '000001.manifest.json']],
    ['finish.json', ['finish.json']],
  ])('in its %s is set aside beside what was, and others are archived', async (file, aside) => {
    const config = configOf(await temporaryFolder());
    for (const nth of [1, 2, 3]) {
      await landRun(config, [analyticsRecord({ likeCount: nth })]);
      await damage(config, file);
      await landRun(config, [analyticsRecord()], {}, { run_id: `other-${nth}` });
      await load(config);
      const archived = await readdir(join(config.dataDir, 'archive/acme/2026-01-15'));
      expect(archived).toContain(`other-${nth}`);
      execFileSync('rm', ['-rf', join(config.dataDir, 'landing/acme', run)]);
    }
    const folders = [run, `${run}.2`, `${run}.3`];
    expect(await filesAside(config)).toEqual(
      folders.flatMap((folder) => aside.map((name) => `${folder}/${name}`)).sort(),
    );
  });
});

describe('what was set aside and is mended comes back as the docs say', () => {
  /** Carries out the lines of docs/archive.md. */
  const shell = (config: Config, lines: string) =>
    execFileSync('/bin/sh', ['-ec', lines], { cwd: config.folder });

  async function twoAnswers(): Promise<Config> {
    const config = configOf(await temporaryFolder());
    const part = await openPart(config.dataDir, recordOf());
    await landAnalytics(part, [analyticsRecord({ id: 'first', url: 'https://x/1' })]);
    await landAnalytics(part, [analyticsRecord({ id: 'second', url: 'https://x/2' })]);
    await part.finish(finishOf());
    return config;
  }

  async function expectWhole(config: Config): Promise<void> {
    const { log, warnings } = warningLog();
    expect(await load(config, { log })).toMatchObject({ damaged: 0, archived: 1 });
    expect(warnings).toEqual([]);
    expect(await rowsOf(config, 'select status, posts_read from runs')).toEqual([
      { status: 'succeeded', posts_read: 2 },
    ]);
    expect(await rowsOf(config, 'from linkedin_posts')).toHaveLength(2);
    expect(await filesAside(config)).toEqual([]);
    expect(await findingsIn(config)).toEqual([]);
    expect(await compareWithRebuilt(config)).toMatchObject({ isSame: true, damages: [] });
  }

  test('a whole run', async () => {
    const config = await twoAnswers();
    const text = await damage(config, 'run.json');
    expect(await load(config)).toMatchObject({ responses: 0, damaged: 1, archived: 0 });
    await writeFile(join(config.dataDir, 'quarantine/acme', run, 'run.json'), text);
    shell(config, `mv data/quarantine/acme/${run} data/landing/acme/${run}`);
    await expectWhole(config);
  });

  test.each(['000002.manifest.json', 'finish.json'])('single files, as %s', async (file) => {
    const config = await twoAnswers();
    const text = await damage(config, file);
    expect(await load(config)).toMatchObject({ damaged: 1 });
    await load(config);
    await writeFile(join(config.dataDir, 'quarantine/acme', run, file), text);
    shell(
      config,
      `mv data/archive/acme/2026-01-15/${run} data/landing/acme/${run}
       mv data/quarantine/acme/${run}/* data/landing/acme/${run}/`,
    );
    await expectWhole(config);
  });
});
