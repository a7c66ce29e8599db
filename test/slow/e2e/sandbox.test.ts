import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, servingAt, startCli, writeFiles } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('the example jobs.yaml', () => {
  it('runs unchanged against the sandbox, as init --sandbox writes it', async () => {
    const folder = await temporaryFolder();
    const size = ['--posts', '60', '--limit', '100000'];
    const sandbox = startCli(['sandbox', 'serve', '--port', '0', ...size, '--json'], {
      cwd: folder,
    });
    const { base_url: url } = await servingAt<{ base_url: string }>(sandbox);
    expect((await runCli(['init', '--sandbox'], { cwd: folder })).code).toBe(0);
    const example = await readFile(join(folder, 'jobs.yaml'), 'utf8');
    const limit = /requests: 100, per_seconds: 60/;
    expect(example).toMatch(limit);
    await writeFiles(folder, {
      'jobs.yaml': example
        .replace('http://127.0.0.1:8080/api/v1', url)
        .replace(limit, 'requests: 100000, per_seconds: 60'),
    });

    const online = await runCli(['check', '--online'], { cwd: folder });
    expect(online).toMatchObject({ code: 0, stderr: '' });
    const run = await runCli(['run'], { cwd: folder });
    expect(run).toMatchObject({ code: 0 });
    const reports = await readdir(join(folder, 'out'), { recursive: true });
    for (const name of ['emv.html', 'engagement.xlsx', 'by_weekday_hour.csv']) {
      expect(reports.some((path) => path.endsWith(name))).toBe(true);
    }

    const env = { SANDBOX_API_KEY: 'sandbox-key-1-revoked' };
    const refused = await runCli(['check', '--online'], { cwd: folder, env });
    expect(refused.code).toBe(1);
    // the warning comes once for the workspace, not once for each of its profiles
    expect(refused.stdout.match(/^(?:ok|wrong) .*$/gm)).toEqual([
      expect.stringMatching(/^wrong {2}halden: .*revoked/),
    ]);

    sandbox.child.kill();
    await sandbox.finished;
    const dead = await runCli(['check', '--online'], { cwd: folder });
    expect(dead.stdout.match(/^(?:ok|wrong) .*$/gm)).toEqual([
      expect.stringMatching(/^wrong {2}halden: .*workspaces\.halden\.base_url$/),
    ]);
  });
});
