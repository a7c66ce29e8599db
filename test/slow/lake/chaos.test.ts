import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayOf } from '../../../src/core/calendar.ts';
import { Chaos, type ChaosOptions } from '../../support/chaos.ts';
import { planFaults, type FaultKind } from '../../support/chaos-faults.ts';
import { figuresOf, problemsOf } from '../../support/chaos-findings.ts';
import { seed } from '../../support/fuzz.ts';
import { LakeServers } from '../../support/lake-servers.ts';
import { canMount } from '../../support/machine.ts';

/** bench/chaos.mjs asks for minutes and for a file of figures. */
const { CHAOS_MINUTES, CHAOS_FIGURES } = process.env;
const minutes = Number(CHAOS_MINUTES ?? 0);

let servers: LakeServers;
beforeAll(async () => {
  servers = await LakeServers.start();
});
afterAll(() => servers.stop());

/** One round with a kill, a stop for longer than a lease, both of a machine that is asking, and an outage of each server. */
function shortOptions(): Omit<ChaosOptions, 'log'> {
  const kinds: FaultKind[] = ['kill', 'stop', 'catalog', 'bucket'];
  const faults = planFaults(seed, kinds.length).map((fault, index) => {
    const kind = kinds[index] ?? 'kill';
    const forMs = kind === 'stop' ? 38_000 : 4_000;
    return { ...fault, kind, afterMs: 500, forMs, isAsking: true };
  });
  const size = { machines: 3, workspaces: 3, shards: 2, windows: 6 };
  return { ...size, limit: { requests: 3, perSeconds: 1 }, faults, minutes, hasOwnDisk: false };
}

function longOptions(): Omit<ChaosOptions, 'log'> {
  const size = { machines: 4, workspaces: 16, shards: 8, windows: 4 };
  const limit = { requests: 3, perSeconds: 3 };
  return { ...size, limit, faults: planFaults(seed, 5_000), minutes, hasOwnDisk: canMount };
}

it(
  'machines that are killed or stopped, and servers that go down and up, leave the tables and reports of a calm machine',
  async ({ skip }) => {
    const startMs = performance.now();
    const log = (line: string) => {
      const seconds = Math.round((performance.now() - startMs) / 1000);
      if (CHAOS_FIGURES) console.log(`${seconds} s: ${line}`);
    };
    const options = minutes > 0 ? longOptions() : shortOptions();
    const chaos = await Chaos.start({ ...options, log }, servers);
    const broken = await chaos.run();
    const isOtherDay = dayOf(new Date(), 'UTC') !== chaos.service.today;
    skip(isOtherDay, 'the day ended, and the date ranges moved');
    const problems = [...broken, ...(await problemsOf(chaos))];
    const figures = { seed, ...figuresOf(chaos), problems };
    if (CHAOS_FIGURES) await writeFile(CHAOS_FIGURES, JSON.stringify(figures));
    expect(problems).toEqual([]);
    const happened = new Set(chaos.faults.map(({ kind }) => kind));
    if (minutes === 0) expect([...happened]).toEqual(['kill', 'stop', 'catalog', 'bucket']);
  },
  (minutes + 15) * 60_000,
);
