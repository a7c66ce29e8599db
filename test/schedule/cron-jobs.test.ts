import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { packageVersion } from '../../src/core/package-version.ts';
import { cronJobManifests } from '../../src/schedule/cron-jobs.ts';
import { inJob, loadJobs, minimalJobs } from '../support/jobs-file.ts';

// After the reference of the Kubernetes API, batch/v1 CronJob: the fields that are used here, and no others.

const labels = z.record(z.string(), z.string().max(63));
const dnsLabel = z.string().regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
const path = z.string().startsWith('/');

const podSpec = z.strictObject({
  restartPolicy: z.enum(['OnFailure', 'Never']),
  securityContext: z.strictObject({
    runAsNonRoot: z.boolean(),
    runAsUser: z.int(),
    runAsGroup: z.int(),
    fsGroup: z.int(),
    fsGroupChangePolicy: z.enum(['Always', 'OnRootMismatch']),
  }),
  containers: z.tuple([
    z.strictObject({
      name: dnsLabel,
      image: z.string(),
      command: z.array(z.string()),
      args: z.array(z.string()),
      envFrom: z.array(z.strictObject({ secretRef: z.strictObject({ name: dnsLabel }) })),
      volumeMounts: z.array(
        z.strictObject({
          name: dnsLabel,
          mountPath: path,
          subPath: z.string().regex(/^[^/]/).optional(),
          readOnly: z.boolean().optional(),
        }),
      ),
    }),
  ]),
  volumes: z.tuple([
    z.strictObject({
      name: dnsLabel,
      persistentVolumeClaim: z.strictObject({ claimName: dnsLabel }),
    }),
    z.strictObject({ name: dnsLabel, configMap: z.strictObject({ name: dnsLabel }) }),
  ]),
});

const cronJobSchema = z.strictObject({
  apiVersion: z.literal('batch/v1'),
  kind: z.literal('CronJob'),
  metadata: z.strictObject({ name: dnsLabel.max(52), labels }),
  spec: z.strictObject({
    // its cron library knows no 7 for Sunday
    schedule: z.string().regex(/^(\S+ ){4}[0-6*,-]+$/),
    timeZone: z.string(),
    concurrencyPolicy: z.enum(['Allow', 'Forbid', 'Replace']),
    startingDeadlineSeconds: z.int(),
    jobTemplate: z.strictObject({
      metadata: z.strictObject({ labels }),
      spec: z.strictObject({
        backoffLimit: z.int(),
        template: z.strictObject({ metadata: z.strictObject({ labels }), spec: podSpec }),
      }),
    }),
  }),
});

async function cronJobs(jobs: string, folder = '/srv/ledger') {
  const config = await loadJobs(jobs);
  const moved = {
    ...config,
    folder,
    file: join(folder, 'jobs.yaml'),
    dataDir: join(folder, 'data'),
    warehouse: join(folder, 'data', 'postledger.duckdb'),
  };
  const documents = parseAllDocuments(cronJobManifests(moved));
  return documents.map((document) => cronJobSchema.parse(document.toJS()));
}

it('is a CronJob with the job’s time zone, one run at a time, its data on a volume and its keys in a Secret', async () => {
  const [job, ...others] = await cronJobs(inJob('schedule: "0 6 * * 7"'));
  expect(others.map(({ spec }) => spec.schedule)).toEqual(['*/15 * * * *']);
  expect(job?.spec).toMatchObject({
    schedule: '0 6 * * 0',
    timeZone: 'UTC',
    concurrencyPolicy: 'Forbid',
  });
  const { containers, volumes } = job?.spec.jobTemplate.spec.template.spec ?? {};
  expect(containers?.[0]).toEqual({
    name: 'postledger',
    image: `postledger:${packageVersion}`,
    command: ['postledger'],
    args: ['--config', '/srv/ledger/jobs.yaml', 'run', 'daily', '--wait', '3600'],
    envFrom: [{ secretRef: { name: 'postledger' } }],
    volumeMounts: [
      { name: 'data', mountPath: '/srv/ledger' },
      {
        name: 'config',
        mountPath: '/srv/ledger/jobs.yaml',
        subPath: 'jobs.yaml',
        readOnly: true,
      },
    ],
  });
  expect(volumes).toEqual([
    { name: 'data', persistentVolumeClaim: { claimName: 'postledger' } },
    { name: 'config', configMap: { name: 'postledger' } },
  ]);
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
