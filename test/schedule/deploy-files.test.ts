import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { writeStarterFiles } from '../../src/config/starter-files.ts';
import { cronJobManifests } from '../../src/schedule/cron-jobs.ts';
import { systemdUnits } from '../../src/schedule/systemd.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The config that `init` writes, as if it were in another folder. */
async function starterIn(folder: string): Promise<Config> {
  const file = join(await temporaryFolder(), 'jobs.yaml');
  await writeStarterFiles({ file, force: false, sandbox: false });
  const config = await loadConfig({ file, environment: {}, now: new Date() });
  const moved = JSON.parse(
    JSON.stringify([...config.jobs.values()]).replaceAll(config.folder, folder),
  ) as Config['jobs'] extends ReadonlyMap<string, infer Job> ? Job[] : never;
  return {
    ...config,
    folder,
    file: join(folder, 'jobs.yaml'),
    dataDir: join(folder, 'data'),
    warehouse: join(folder, 'data', 'postledger.duckdb'),
    jobs: new Map(moved.map((job) => [job.name, job])),
  };
}

// vitest -u writes them again

it('deploy/ has the CronJob that schedule --print k8s prints of a new project', async () => {
  const manifests = cronJobManifests(await starterIn('/data'));
  await expect(manifests).toMatchFileSnapshot('../../deploy/kubernetes/cronjob.yaml');
});

it('deploy/ has the units that schedule --print systemd prints of a new project', async () => {
  const options = { program: ['/usr/local/bin/postledger'], user: 'postledger' };
  for (const { name, text } of systemdUnits(await starterIn('/srv/postledger'), options)) {
    await expect(text).toMatchFileSnapshot(`../../deploy/systemd/${name}`);
  }
});
