import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RunWriter } from '../../src/store/run-writer.ts';
import {
  analyticsRecord,
  findingOf,
  finishOf,
  storeAnalytics,
  load,
  profileId,
  recordOf,
  rowsOf,
  historyOf,
  emptyConfig,
} from '../support/stored-run.ts';

const found = findingOf({
  records_whole: 102,
  posts_whole: 100,
  posts_first_half: 60,
  posts_second_half: 77,
  posts_halves: 137,
  missing: 37,
});

async function storeChecked(part: RunWriter, finding = found): Promise<void> {
  await storeAnalytics(part, [analyticsRecord()], { distinct_posts: 100 });
  await part.storeCheck(finding);
}

describe('the outcome of an answer that looked cut off', () => {
  test('is kept, once however often it is loaded, and known to the next plan', async () => {
    const config = await emptyConfig();
    const part = await RunWriter.open(config.dataDir, recordOf());
    await storeChecked(part);
    const ownRunId = recordOf().run_id;
    expect(await load(config, { ownRunId })).toMatchObject({ isPublished: true });
    await load(config, { ownRunId });
    await part.finish(finishOf());
    await load(config);
    expect(await rowsOf(config, 'from window_checks')).toEqual([
      { workspace: 'acme', run_id: recordOf().run_id, ...found },
    ]);
    const windows = 'select records, distinct_posts, posts_read from extract_windows';
    expect(await rowsOf(config, windows)).toEqual([
      { records: 1, distinct_posts: 100, posts_read: 1 },
    ]);
    const window = { start: '2026-01-01', end: '2026-01-30' };
    const history = await historyOf(config);
    expect(history.readings).toMatchObject([{ window, records: 1, posts: 100 }]);
    expect(history.checks).toEqual([
      {
        workspace: 'acme',
        profileId,
        window,
        kind: 'cut_off',
        records: 102,
        posts: 100,
        checkedAt: new Date('2026-01-15T12:00:03.000Z'),
      },
    ]);
  });

  test('is what the later check says, and is skipped where its file is damaged, while its siblings load', async () => {
    const config = await emptyConfig();
    const damages: [string, (text: string) => string][] = [
      ['cut-short', (text) => text.slice(0, 40)],
      ['no-kind', (text) => text.replace('cut_off', 'cut')],
    ];
    for (const [run_id, damage] of damages) {
      const part = await RunWriter.open(config.dataDir, recordOf({ run_id }));
      await storeChecked(part);
      const path = join(part.folder, '000001.check.json');
      await writeFile(path, damage(await readFile(path, 'utf8')));
      await part.finish(finishOf());
    }
    const part = await RunWriter.open(config.dataDir, recordOf());
    await storeChecked(part, { ...found, kind: 'agreed', missing: 0 });
    await storeChecked(part, { ...found, seq: 2 });
    await part.finish(finishOf());
    expect(await load(config)).toMatchObject({ damaged: 2, responses: 4 });
    expect(await rowsOf(config, 'select run_id, seq, kind from window_checks')).toEqual([
      { run_id: recordOf().run_id, seq: 2, kind: 'cut_off' },
    ]);
  });
});
