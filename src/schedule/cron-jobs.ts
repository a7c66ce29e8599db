import { basename, relative } from 'node:path';
import { stringify } from 'yaml';
import type { Config } from '../config/config.ts';
import { packageVersion } from '../core/package-version.ts';
import { warehouseOf } from '../warehouse/warehouse.ts';
import {
  portableFields,
  commentHeader,
  scheduledCommands,
  type ScheduledCommand,
} from './cron-expression.ts';
import { writtenFolders } from './written-folders.ts';

const objectName = 'postledger';

/** The longest name that Kubernetes allows for a CronJob, since it adds 11 characters for each Job. */
const longestName = 52;

/**
 * Returns a Kubernetes CronJob for each command that has a schedule, as one YAML file. Paths in the container are
 * the same as on this machine, so that jobs.yaml means the same there. Machines that share a lake keep nothing that
 * could be caught up with: the next run reads what failed.
 * @throws UsageError if no job has a schedule, or if a schedule uses syntax that Kubernetes cannot read
 */
export function cronJobManifests(config: Config): string {
  const names = new Set<string>();
  const { isShared } = warehouseOf(config.warehouse);
  const commands = scheduledCommands(config).filter(({ name }) => !isShared || name !== 'catch-up');
  const manifests = commands.map((command) =>
    cronJob(command, config, uniqueName(command.name, names)),
  );
  const file = basename(config.file);
  const head = [
    ...commentHeader(config, 'k8s'),
    '# They need, in their namespace:',
    `#   the image ${image} (deploy/Dockerfile)`,
    isShared
      ? '#   deliveries of the reports in jobs.yaml, since the files that a pod writes are lost with it'
      : `#   a PersistentVolumeClaim ${objectName}, for what jobs write; reports/ and a logo of yours belong there too`,
    `#   kubectl create configmap ${objectName} --from-file=${file}`,
    `#   kubectl create secret generic ${objectName} --from-env-file=.env`,
  ];
  const documents = manifests.map(
    (manifest) => `---\n${stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false })}`,
  );
  return `${head.join('\n')}\n${documents.join('')}`;
}

/** The number of machines that share a job if the warehouse is a lake. */
const machines = 4;
const image = `postledger:${packageVersion}`;

function cronJob({ jobs, cron, args }: ScheduledCommand, config: Config, name: string) {
  const folders = writtenFolders(config, jobs);
  const labels = { 'app.kubernetes.io/name': objectName };
  const { isShared } = warehouseOf(config.warehouse);
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name, labels },
    spec: {
      schedule: portableFields(cron).join(' '),
      timeZone: config.timezone,
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 3600,
      jobTemplate: {
        metadata: { labels },
        spec: {
          ...(isShared && { completions: machines, parallelism: machines }),
          // the next run reads what this one could not
          backoffLimit: 0,
          template: {
            metadata: { labels },
            spec: {
              restartPolicy: 'Never',
              securityContext: {
                runAsNonRoot: true,
                runAsUser: 1000,
                runAsGroup: 1000,
                fsGroup: 1000,
                fsGroupChangePolicy: 'OnRootMismatch',
              },
              containers: [
                {
                  name: objectName,
                  image,
                  command: [objectName],
                  args: isShared ? [...args, '--fleet'] : args,
                  envFrom: [{ secretRef: { name: objectName } }],
                  volumeMounts: [
                    ...folders.map((folder) => ({
                      name: 'data',
                      mountPath: folder,
                      ...(folders.length > 1 ? { subPath: relative('/', folder) } : {}),
                    })),
                    {
                      name: 'config',
                      mountPath: config.file,
                      subPath: basename(config.file),
                      readOnly: true,
                    },
                  ],
                },
              ],
              volumes: [
                // machines that share a lake have a data_dir each; what they read goes to warehouse.lake.raw
                isShared
                  ? { name: 'data', emptyDir: {} }
                  : { name: 'data', persistentVolumeClaim: { claimName: objectName } },
                { name: 'config', configMap: { name: objectName } },
              ],
            },
          },
        },
      },
    },
  };
}

/** Returns a valid Kubernetes name, which other commands may have too. @param suffix it stands at the end */
export function cronJobName(name: string, suffix = ''): string {
  const words = `${objectName}-${name}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return words.slice(0, longestName - suffix.length).replace(/-+$/, '') + suffix;
}

/** Returns a valid Kubernetes name that no other job of the file has. */
function uniqueName(jobName: string, taken: Set<string>): string {
  let name = cronJobName(jobName);
  for (let number = 2; taken.has(name); number += 1) name = cronJobName(jobName, `-${number}`);
  taken.add(name);
  return name;
}
