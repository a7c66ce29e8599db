import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { expect, it } from 'vitest';
import { cronJobManifests } from '../../src/schedule/cron-jobs.ts';
import { inJob, loadJobs, minimalJobs } from '../support/jobs-file.ts';

interface CronJob {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly schedule: string;
    readonly jobTemplate: {
      spec: { template: { spec: { containers: [{ volumeMounts: object[] }] } } };
    };
  };
}

async function cronJobs(jobs: string) {
  const config = await loadJobs(jobs);
  const folder = '/srv/ledger';
  const moved = {
    ...config,
    folder,
    file: join(folder, 'jobs.yaml'),
    dataDir: join(folder, 'data'),
    warehouse: join(folder, 'data', 'postledger.duckdb'),
  };
  const documents = parseAllDocuments(cronJobManifests(moved));
  return documents.map((document) => document.toJS() as CronJob);
}

// the CronJob of a new project stands whole in deploy/kubernetes

it('has 0 for Sunday, for which its cron library knows no 7', async () => {
  const jobs = await cronJobs(inJob('schedule: "0 6 * * 7"'));
  expect(jobs.map(({ spec }) => spec.schedule)).toEqual(['0 6 * * 0', '*/15 * * * *']);
});

it('mounts each folder that a job writes into, also beside that of jobs.yaml', async () => {
  const elsewhere = inJob(
    'schedule: "0 6 * * *"\nreports: [{ report: emv, period: all, out: "/mnt/reports/{report}" }]',
  );
  const [daily] = await cronJobs(elsewhere);
  expect(daily?.spec.jobTemplate.spec.template.spec.containers[0].volumeMounts).toMatchObject([
    { mountPath: '/srv/ledger', subPath: 'srv/ledger' },
    { mountPath: '/mnt/reports', subPath: 'mnt/reports' },
    { mountPath: '/srv/ledger/jobs.yaml' },
  ]);
});

it('gives each job a distinct name that Kubernetes accepts', async () => {
  const body = '{ schedule: "0 6 * * *", profiles: [acme/*], windows: { days: 400 } }';
  const names = ['Daily_Run', 'daily.run', 'x'.repeat(64), `${'x'.repeat(63)}.`];
  const jobs = names.map((name) => `  ${name}: ${body}\n`).join('');
  const parsed = await cronJobs(`${minimalJobs.split('jobs:')[0] ?? ''}jobs:\n${jobs}`);
  expect(parsed.map(({ metadata }) => metadata.name)).toEqual([
    'postledger-daily-run',
    'postledger-daily-run-2',
    `postledger-${'x'.repeat(41)}`,
    `postledger-${'x'.repeat(39)}-2`,
    'postledger-catch-up',
  ]);
});
