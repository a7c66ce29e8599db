import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { ProfileConfig } from '../../src/config/config.ts';
import { readStatus } from '../../src/status/status.ts';
import { ManualClock } from '../support/manual-clock.ts';
import {
  emptyConfig,
  load,
  profileId,
  profileOf,
  rowsOf,
  valuesOf,
  type FileConfig,
} from '../support/stored-run.ts';
import { dumpTables } from '../support/table-dump.ts';
import { storeAnswer } from './stored-answer.ts';

const acme = profileOf();
const anna = profileOf({ id: profileId.replaceAll('1', '2'), name: 'Anna' });
const share = 'https://www.linkedin.com/feed/update/urn:li:share:';

/** The config with other profiles, over the same raw store and warehouse. */
function reading(config: FileConfig, ...profiles: ProfileConfig[]): FileConfig {
  const [workspace] = config.workspaces.values();
  if (!workspace) throw new Error('the config has a workspace');
  return { ...config, workspaces: new Map([['acme', { ...workspace, profiles }]]) };
}

/** Stores an answer for each of the profiles on a day of February, one after the other. */
async function storeDay(
  config: FileConfig,
  day: number,
  answers: readonly (readonly [ProfileConfig, Readonly<Record<string, object>>])[],
): Promise<void> {
  for (const [index, [profile, posts]] of answers.entries()) {
    // records have their own ids whatever the profile
    const named: Record<string, object> = {};
    for (const [id, change] of Object.entries(posts)) named[id] = { id, likeCount: day, ...change };
    await storeAnswer(config, `2026-02-0${day}T0${index + 5}`, named, { profile: profile.id });
  }
}

/** The posts that count, each with the profile to which it belongs. */
function ownersOf(config: FileConfig) {
  return valuesOf(
    config,
    `select linkedin_post_id, if(profile_id = '${acme.id}', 'Acme', 'Anna') as owner, like_count
    from post_performance order by all`,
  );
}

async function warningsOf(config: FileConfig): Promise<string[]> {
  const { warnings } = await readStatus(config, new ManualClock());
  return warnings.map(({ text }) => text);
}

/** Loads the raw store into an empty warehouse, which gives the same tables. */
async function expectSameRebuilt(config: FileConfig): Promise<void> {
  const dump = await dumpTables(config);
  await rm(config.warehouse);
  await load(config, { readingsAtOnce: 1 });
  expect(await dumpTables(config)).toEqual(dump);
}

describe('a post in the answers for two profiles', () => {
  const both = { x: {}, y: {}, z: {} };

  test('counts for the one that had it first, whichever was read last, and both are named', async () => {
    const config = reading(await emptyConfig(), acme, anna);
    await storeDay(config, 1, [
      [acme, { ...both, a: {} }],
      [anna, { ...both, b: {} }],
    ]);
    await storeDay(config, 2, [
      [anna, { ...both, b: {} }],
      [acme, { ...both, a: {} }],
    ]);
    await storeDay(config, 3, [
      [acme, { ...both, a: {} }],
      [anna, { ...both, b: {} }],
    ]);
    await load(config);
    expect(await ownersOf(config)).toEqual([
      ['a', 'Acme', 3],
      ['b', 'Anna', 3],
      ['x', 'Acme', 3],
      ['y', 'Acme', 3],
      ['z', 'Acme', 3],
    ]);
    expect(await warningsOf(config)).toEqual([
      '3 posts in the responses for Acme and for Anna, counted for the one that had them first',
      '3 posts in the responses for Anna and for Acme, counted for the one that had them first',
    ]);
  });

  test('is as it was whatever the order in which answers are loaded', async () => {
    const dumps: object[] = [];
    for (const days of [
      [1, 2, 3],
      [3, 1, 2],
    ]) {
      const config = reading(await emptyConfig(), acme, anna);
      for (const day of days) {
        const order = day === 2 ? [anna, acme] : [acme, anna];
        await storeDay(
          config,
          day,
          order.map((profile) => [profile, both] as const),
        );
        await load(config);
      }
      dumps.push(await dumpTables(config));
    }
    expect(dumps).toEqual([dumps[0], dumps[0]]);
  });

  test('counts for the other once jobs.yaml has the first no more, and for the first again once it has; other posts are not derived again', async () => {
    const config = reading(await emptyConfig(), acme, anna);
    await storeDay(config, 1, [
      [acme, { x: {}, a: {} }],
      [anna, { x: {}, b: {} }],
    ]);
    await load(config);
    const later = reading(config, anna);
    expect((await load(later)).posts).toEqual({ new: 0, changed: 1, unchanged: 0 });
    expect(await ownersOf(later)).toEqual([
      ['a', 'Acme', 1],
      ['b', 'Anna', 1],
      ['x', 'Anna', 1],
    ]);
    expect(await warningsOf(later)).toEqual([]);
    await expectSameRebuilt(later);
    // with neither it is the first one's of all
    await load(reading(config));
    expect(await ownersOf(config)).toMatchObject([{}, {}, ['x', 'Acme', 1]]);
    await load(config);
    expect(await ownersOf(config)).toMatchObject([{}, {}, ['x', 'Acme', 1]]);
    expect(await warningsOf(config)).toHaveLength(2);
    // another name or price changes no owner
    expect((await load(reading(config, acme, { ...anna, name: 'A.', cpm: 3 }))).posts).toEqual({
      new: 0,
      changed: 0,
      unchanged: 0,
    });
  });

  test('is absent only once the one that was read last lacks it', async () => {
    const config = reading(await emptyConfig(), acme, anna);
    const absent = 'select linkedin_post_id from linkedin_posts where absent_since is not null';
    await storeDay(config, 1, [
      [acme, both],
      [anna, { x: {} }],
    ]);
    await storeDay(config, 2, [
      [anna, { x: {} }],
      [acme, { y: {} }],
    ]);
    await load(config);
    expect(await valuesOf(config, absent)).toEqual([['z']]);
    await storeDay(config, 3, [
      [acme, { y: {} }],
      [anna, { b: {} }],
    ]);
    await load(config);
    expect(await valuesOf(config, `${absent} order by all`)).toEqual([['x'], ['z']]);
  });
});

describe('an account that was reconnected under a new profile', () => {
  const until = '2026-01-31';

  async function storeReconnected() {
    const config = reading(await emptyConfig(), acme, anna);
    await storeDay(config, 1, [[acme, { old: { url: `${share}7` }, gone: {} }]]);
    await storeDay(config, 2, [[anna, { new: { url: `${share}7` }, next: {} }]]);
    return config;
  }

  test('has each post once, with the readings of both, under the first of the two that jobs.yaml has', async () => {
    const config = await storeReconnected();
    const ended = reading(config, { ...acme, until }, anna);
    await load(ended);
    expect(await ownersOf(ended)).toEqual([
      ['gone', 'Acme', 1],
      ['new', 'Acme', 2],
      ['next', 'Anna', 2],
    ]);
    const days =
      'select captured_on, like_count from linkedin_post_snapshots where linkedin_post_id = $id';
    expect(await rowsOf(ended, days.replace('$id', "'new' order by all"))).toEqual([
      { captured_on: '2026-02-01', like_count: 1 },
      { captured_on: '2026-02-02', like_count: 2 },
    ]);
    expect(await warningsOf(ended)).toEqual([
      '1 record of Acme replaced by a later record of the same post, which counts alone',
    ]);
    const removed = reading(config, anna);
    expect((await load(removed)).posts).toEqual({ new: 0, changed: 1, unchanged: 0 });
    expect(await ownersOf(removed)).toEqual([
      ['gone', 'Acme', 1],
      ['new', 'Anna', 2],
      ['next', 'Anna', 2],
    ]);
    await expectSameRebuilt(removed);
  });

  test('counts twice with a warning while both are read', async () => {
    const config = await storeReconnected();
    await load(config);
    expect(await ownersOf(config)).toMatchObject([{}, ['new', 'Anna', 2], {}, ['old', 'Acme', 1]]);
    expect(await warningsOf(config)).toEqual([
      '1 post of Acme with the address of a post of Anna, and counted for both',
      '1 post of Anna with the address of a post of Acme, and counted for both',
    ]);
    await load(reading(config, { ...acme, until }, anna));
    expect(await ownersOf(config)).toHaveLength(3);
    await load(config);
    expect(await ownersOf(config)).toHaveLength(4);
    await expectSameRebuilt(config);
  });
});
