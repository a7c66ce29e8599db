import { once } from 'node:events';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { PreviewState } from '../../../src/preview/preview-server.ts';
import { smallReport } from '../../report/support/report-folder.ts';
import { makeWarehouse } from '../../report/support/report-warehouse.ts';
import { startCli, writeFiles } from '../../support/cli.ts';
import { uuid } from '../../support/made-records.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const jobs = `timezone: UTC
workspaces:
  acme:
    base_url: "https://social.example.com/api/v1"
    api_key: "\${UNSET_KEY}"
    profiles: [{ id: ${uuid(900)}, name: Acme }]
warehouse: ./w.duckdb
`;
const post = { linkedin_post_id: 'a', profile_id: uuid(900), type: 'Text', impression_count: 1234 };

/** A query that takes hours and little memory. */
const endless =
  'select type, sum(hash(a.range + b.range))::hugeint as impressions, 1 as posts from report_posts, range(1000000) as a, range(1000000) as b where $least = 0 group by type';

const reachFiles = Object.fromEntries(
  Object.entries(smallReport).map(([file, text]): [string, string] => [
    `reports/reach/${file}`,
    text,
  ]),
);

async function folderWith(files: Record<string, string> = {}) {
  const cwd = await temporaryFolder();
  await writeFiles(cwd, { 'jobs.yaml': jobs, ...reachFiles, ...files });
  await makeWarehouse(join(cwd, 'w.duckdb'), { linkedin_posts: [post] });
  return cwd;
}

/** A running preview, as a browser sees it. */
async function preview(cwd: string, ...args: string[]) {
  const command = ['report', 'preview', 'reach', '--log-format', 'json', ...args];
  const running = startCli(command, { cwd });
  const [line] = (await once(running.child.stdout ?? process.stdin, 'data')) as [string];
  const url = line.trim();
  return {
    url,
    /** Waits for a state that meets the condition. */
    until: (isSo: (state: PreviewState) => boolean) =>
      vi.waitFor(
        async () => {
          const state = (await (await fetch(new URL('state', url))).json()) as PreviewState;
          if (!isSo(state)) throw new Error(`the state is ${JSON.stringify(state)}`);
          return state;
        },
        { timeout: 60_000 },
      ),
    page: async () => (await fetch(new URL('report', url))).text(),
    stop: (signal: NodeJS.Signals = 'SIGINT') => {
      running.child.kill(signal);
      return running.finished;
    },
  };
}

function linesOf(stderr: string) {
  return stderr
    .split('\n')
    .filter((line) => line.includes('"msg"'))
    .map((line) => JSON.parse(line) as { level: number; msg: string; ms?: number });
}

describe('report preview', () => {
  it('interrupts a runaway query at the next save and on Ctrl-C', async () => {
    const cwd = await folderWith();
    const sql = join(cwd, 'reports/reach/types.sql');
    const { until, page, stop } = await preview(cwd);
    await until((state) => state.page === 1);
    await writeFile(sql, endless);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await writeFile(sql, smallReport['types.sql'].replace('count(*)', '4321'));
    await until((state) => state.page > 1);
    expect(await page()).toContain('4,321');

    await writeFile(sql, endless);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await stop()).toMatchObject({ code: 0, signal: null });
  });

  it('renders on save, shows mistakes with their place, keeps the last good page, and exits with 0', async () => {
    const cwd = await folderWith();
    const sql = join(cwd, 'reports/reach/types.sql');
    const { until, page, stop, url } = await preview(cwd);
    expect(await (await fetch(url)).text()).toContain('<title>Preview of reach</title>');
    await until((state) => state.page === 1);
    expect(await page()).toContain('1,234');

    // editors save by replacing the file, sometimes twice in a row
    for (const posts of ['7777', '8888']) {
      await writeFile(`${sql}~`, smallReport['types.sql'].replace('count(*)', posts));
      await rename(`${sql}~`, sql);
    }
    await until((state) => state.page > 1);
    expect(await page()).toContain('8,888');

    await writeFile(
      sql,
      'select type,\n  nothing as impressions from report_posts where $least = 0',
    );
    const { page: kept, faults } = await until((state) => state.faults.length > 0);
    expect(faults).toEqual([
      {
        location: join('reports/reach/types.sql:2:3'),
        message: expect.stringContaining('Referenced column "nothing"') as string,
      },
    ]);
    expect(await page()).toContain('8,888');

    await writeFile(sql, smallReport['types.sql']);
    await writeFile(
      join(cwd, 'reports/reach/_lede.sql'),
      "select 'All of **{n:count}**.' as text, 3 as n",
    );
    const fixed = await until((state) => state.page > kept && state.faults.length === 0);
    expect(fixed.madeAt).not.toBeNull();
    await expect.poll(page).toContain('All of <strong>3</strong>');

    const { code, signal, stdout, stderr } = await stop();
    expect({ code, signal, stdout }).toEqual({ code: 0, signal: null, stdout: `${url}\n` });
    const lines = linesOf(stderr).filter(({ msg }) => !msg.includes('has no jobs'));
    expect(lines[0]).toMatchObject({ level: 30, ms: expect.any(Number) as number });
    expect(lines[0]?.msg).toMatch(/^rendered, \d+ kB/);
    expect(lines.filter(({ level }) => level === 50).map(({ msg }) => msg)).toEqual([
      expect.stringMatching(/^reports\/reach\/types\.sql:2:3: Binder Error: [^\n]+$/),
    ]);
  });

  it('follows changes of jobs.yaml, a load that replaces the warehouse, and a folder that is removed and created again', async () => {
    const cwd = await folderWith();
    const { until, page, stop } = await preview(cwd, '--set', 'least=5');
    await until((state) => state.page === 1);
    await writeFile(join(cwd, 'jobs.yaml'), `${jobs}brand: { name: Acme & Sons }\n`);
    await until((state) => state.page === 2);
    expect(await page()).toContain('Acme &amp; Sons');
    await writeFile(join(cwd, 'jobs.yaml'), jobs.replace('timezone: UTC', 'timezone: Mars'));
    const { faults } = await until((state) => state.faults.length > 0);
    expect(faults[0]?.message).toContain('jobs.yaml');
    await writeFile(join(cwd, 'jobs.yaml'), jobs);
    await until((state) => state.page === 3);
    await makeWarehouse(join(cwd, 'new.duckdb'), {
      linkedin_posts: [{ ...post, impression_count: 4321 }],
    });
    await rename(join(cwd, 'new.duckdb'), join(cwd, 'w.duckdb'));
    await until((state) => state.page === 4);
    expect(await page()).toContain('4,321');
    await rm(join(cwd, 'reports'), { recursive: true });
    const gone = await until((state) => state.faults.length > 0);
    expect(gone.faults[0]?.message).toContain('there is no report.yaml');
    await writeFiles(cwd, reachFiles);
    await until((state) => state.page > 4 && state.faults.length === 0);
    expect(await stop('SIGTERM')).toMatchObject({ code: 0, signal: null });
  });
});
