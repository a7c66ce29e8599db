import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { openPart } from '../../src/landing/landing-part.ts';
import { WarehouseSchemaError } from '../../src/warehouse/warehouse-errors.ts';
import { makeFirstWarehouse } from '../support/first-warehouse.ts';
import { deletionEvent, spoolEvents } from '../support/inbox-segments.ts';
import { compileProgram, loadProgram, runUntil, type Death } from '../support/killed-program.ts';
import { configOf, finishOf, landDetails, load, recordOf, rowsOf } from '../support/landed-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function firstConfig(): Promise<Config> {
  const config = configOf(await temporaryFolder());
  await makeFirstWarehouse(config.warehouse);
  return config;
}

const columns = `title, status, content->>'$.linkedIn.copy' as copy,
  content->>'$.x.tweets[0].copy' as tweet, removed_at, removed_by`;
const known = { title: 'Detailed', status: 'Posted', copy: 'Hello', tweet: 'Hi' };
const untouched = { ...known, removed_at: null, removed_by: null };
const removal = { removed_at: '2026-01-19T09:00:00Z', removed_by: 'Ada Byron' };

test('a warehouse of the first version keeps all it has, and takes events and answers by their time', async () => {
  const config = await firstConfig();
  expect(await load(config)).toMatchObject({ isUpgraded: true });
  expect(await load(config)).toMatchObject({ isUpgraded: false });
  expect(await rowsOf(config, `select ${columns} from posts`)).toEqual([untouched]);
  await spoolEvents(config, [deletionEvent({ linkedIn: { copy: 'Older' } })]);
  await load(config);
  expect(await rowsOf(config, `select ${columns} from posts`)).toEqual([{ ...known, ...removal }]);
  expect(await rowsOf(config, 'select asset_id from assets')).toEqual([{ asset_id: 'm1' }]);
  const view = 'select title, labels, campaign, impression_count, is_removed from post_performance';
  expect(await rowsOf(config, view)).toEqual([
    {
      title: 'Detailed',
      labels: ['one'],
      campaign: 'Spring',
      impression_count: 100,
      is_removed: true,
    },
  ]);
  const part = await openPart(config.dataDir, recordOf());
  const post = { id: 'p1', title: 'New', status: 'ToDo', linkedIn: { copy: 'Newer' } };
  await landDetails(part, 'p1', post, { fetchedAt: new Date('2026-01-21T06:00:00Z') });
  await part.finish(finishOf());
  await load(config);
  expect(await rowsOf(config, `select ${columns} from posts`)).toEqual([
    { title: 'New', status: 'ToDo', copy: 'Newer', tweet: null, ...removal },
  ]);
});

test('what an event says of one channel of the first version leaves the other to the letter', async () => {
  const config = await firstConfig();
  const createdAt = '2026-01-25T00:00:00Z';
  await spoolEvents(config, [deletionEvent({ linkedIn: { copy: 'Last' } }, { createdAt })]);
  await load(config);
  expect(await rowsOf(config, 'select content from posts')).toEqual([
    { content: '{"linkedIn":{"copy":"Last"},\n"x":{"tweets":[{"copy":"Hi"}]}}' },
  ]);
});

test('a load that is killed while it upgrades a warehouse leaves the old one, and the next one upgrades it', async () => {
  const folder = await compileProgram();
  const deaths: Death[] = [
    { when: 'after', operation: 'copyFile', nth: 1 },
    { when: 'before', operation: 'rename', nth: 1 },
    // the first one tells what is published
    { when: 'after', operation: 'rename', nth: 2 },
  ];
  for (const death of deaths) {
    const config = await firstConfig();
    await spoolEvents(config, [deletionEvent()]);
    expect(await runUntil(death, folder, loadProgram(config))).toBe(true);
    const isPublished = death.when === 'after' && death.operation === 'rename';
    if (!isPublished)
      await expect(rowsOf(config, 'from posts')).rejects.toThrow(WarehouseSchemaError);
    expect(await load(config)).toMatchObject({ isUpgraded: !isPublished });
    expect(await rowsOf(config, `select ${columns} from posts`)).toEqual([
      { ...known, ...removal },
    ]);
  }
});

test('a warehouse that a load makes is not upgraded', async () => {
  const config = configOf(await temporaryFolder());
  expect(await load(config)).toMatchObject({ isUpgraded: false });
});
