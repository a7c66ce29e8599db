import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import type { FaultLevel } from '../../src/sandbox/faults/fault-kinds.ts';
import { runCli, writeFiles } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const rateLimit = { requests: 100_000, perSeconds: 60 };
const tables = ['post_performance', 'posts', 'assets'];
/** Everything but the times of reading. */
const columns =
  "columns(c -> not contains(c, 'reading') and not ends_with(c, '_seen_at') and c <> 'detail_fetched_at')";

/**
 * Noon, so that no figures change and no day ends while a run is under way; and in the past, so that days
 * up to it are the same whenever the program runs.
 */
const start = new Date('2025-06-01T12:00:00Z');
const days = ['--from', '2023-06-01', '--to', '2025-06-01'];

/** The tables after a run over eleven date ranges of three profiles and their posts' details. */
async function loadThrough(faults: FaultLevel) {
  const parts = { profiles: 3, posts: 120, start, rateLimit, faults };
  const sandbox = await startSandbox({ ...parts, clock: systemClock, log: silentLog });
  onTestFinished(() => sandbox.close());
  const folder = await temporaryFolder();
  const profiles = sandbox.profiles
    .slice(0, 3)
    .map(({ id, name }) => `{ id: ${id}, name: ${name} }`);
  await writeFiles(folder, {
    'jobs.yaml': `workspaces:
  acme:
    base_url: ${sandbox.url}
    api_key: \${ACME_KEY}
    rate_limit: { requests: 1000, per_seconds: 1 }
    profiles: [${profiles.join(', ')}]
jobs:
  all:
    profiles: [acme/*]
    windows: { start: 2023-06-01, size_days: 70 }
`,
  });
  const run = (...args: string[]) =>
    runCli(args, { cwd: folder, env: { ACME_KEY: sandbox.keys.valid } });
  expect(await run('run', ...days)).toMatchObject({ code: 0 });
  const rows = [];
  for (const table of tables) {
    const query = `select ${columns} from ${table} order by all`;
    const { code, stdout, stderr } = await run('sql', query, '--format', 'json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    rows.push(JSON.parse(stdout) as object[]);
  }
  const journal = await fetch(new URL('/_sandbox/faults', sandbox.url));
  return { rows, journal: (await journal.json()) as { counts: Record<string, number> } };
}

it('a run with mild faults loads the same data as one without faults', async () => {
  const calm = await loadThrough('none');
  const rough = await loadThrough('mild');
  expect(calm.rows.every((rows) => rows.length > 0)).toBe(true);
  expect(rough.rows).toEqual(calm.rows);
  expect(Object.keys(calm.journal.counts)).toEqual([]);
  expect(Object.keys(rough.journal.counts).toSorted()).toEqual([
    'cut_body',
    'malformed_json',
    'rate_limited',
    'server_error',
    'unavailable',
  ]);
});
