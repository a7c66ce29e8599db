import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const bench = resolve(import.meta.dirname, '../../bench/webhook-hostile.mjs');

interface Summary {
  readonly statuses: Readonly<Record<string, number>>;
}

it('outlives hostile requests, and stores the good events among them', async () => {
  const args = [bench, '--requests', '300', '--seed', '7', '--slow', '0', '--floods', '300'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const summary = JSON.parse(stdout) as Summary;
  expect(summary).toMatchObject({ requests: 300, good: 30, lost: 0, problems: [] });
  for (const status of ['202', '400', '401', '404', '405', '415', '431']) {
    expect(summary.statuses[status], status).toBeGreaterThan(0);
  }
});
