import { canonicalHash } from '../core/json.ts';
import type { ConfigPath, ConfigProblem } from './config-error.ts';
import {
  reportsByClient,
  type ClientConfig,
  type CommandTarget,
  type Config,
  type DeliveryConfig,
  type JobConfig,
  type JobReport,
  type MailTarget,
  type S3Target,
} from './config.ts';

/** A delivery of reports to one recipient, as jobs.yaml defines it. */
export interface DefinedDelivery {
  readonly job: JobConfig;
  /** The reports that it carries: one, or all that the job has for the client. */
  readonly reports: readonly [JobReport, ...JobReport[]];
  /** The client of all its reports; null if they are for the job's owner. */
  readonly client: ClientConfig | null;
  readonly delivery: DeliveryConfig;
  /** The target; a mail has a single address. */
  readonly target: MailTarget | S3Target | CommandTarget;
  /** A key that is equal for equal recipients, whatever else differs. */
  readonly recipient: string;
  /** The SHA-256 of the whole definition as canonical JSON. Definitions that differ are different deliveries. */
  readonly definition: string;
  /** The place of the delivery in jobs.yaml. */
  readonly path: ConfigPath;
}

/** Lists all deliveries of a job, those of single reports first, in the file's order. */
export function definedDeliveries(job: JobConfig): DefinedDelivery[] {
  const ofReports = job.reports.flatMap((report) =>
    defined(job, [report], report.deliver, ['jobs', job.name, 'reports', report.place]),
  );
  const groups = reportsByClient(job.reports);
  const ofJob = job.deliver.flatMap(({ client, deliveries }) => {
    const reports = groups.find(([report]) => report.client === client);
    return reports ? defined(job, reports, deliveries, ['jobs', job.name]) : [];
  });
  return [...ofReports, ...ofJob];
}

/** @param place the path of the job or the report that has the deliveries */
function defined(
  job: JobConfig,
  reports: DefinedDelivery['reports'],
  deliveries: readonly DeliveryConfig[],
  place: ConfigPath,
): DefinedDelivery[] {
  const [{ client }] = reports;
  const defining = reports.map((report) => {
    return { ...report, client: null, place: null, out: null, deliver: null };
  });
  return deliveries.flatMap((delivery, index) =>
    targetsOf(delivery.target).map((target) => ({
      ...{ job, reports, client, delivery, target },
      recipient: recipientOf(target),
      definition: canonicalHash({
        job: job.name,
        client: client?.key ?? null,
        ...(defining.length === 1 ? { report: defining[0] } : { reports: defining }),
        delivery: { ...delivery, target },
      }),
      path: [...place, 'deliver', index],
    })),
  );
}

/** Names the reports of a delivery, each once. */
export function reportNames(reports: readonly Pick<JobReport, 'report'>[]): string[] {
  return [...new Set(reports.map(({ report }) => report))];
}

function targetsOf(target: DeliveryConfig['target']): DefinedDelivery['target'][] {
  if (target.kind !== 'mail') return [target];
  return target.to.map((address) => ({ ...target, to: [address] }));
}

function recipientOf(target: DefinedDelivery['target']): string {
  if (target.kind === 'mail') return target.to[0] ?? '';
  return canonicalHash(target);
}

/** Finds deliveries that are equal to an earlier one and would never be sent. */
export function findEqualDeliveries(
  { jobs }: Pick<Config, 'jobs'>,
  lineOf: (path: ConfigProblem['path']) => number | null,
): ConfigProblem[] {
  return [...jobs.values()].flatMap((job) => {
    const seen = new Set<string>();
    return definedDeliveries(job).flatMap((each) => {
      const { reports, client, target, recipient, definition, path } = each;
      const isRepeated = seen.has(definition);
      seen.add(definition);
      if (!isRepeated) return [];
      const to = target.kind === 'mail' ? ` to ${recipient}` : '';
      const whom = client ? ` for the client ${client.key}` : '';
      const message = `sends ${reportNames(reports).join(', ')}${whom}${to} as another delivery of the job also does; remove one, or change what is sent`;
      return [{ path, message, line: lineOf(path) }];
    });
  });
}
