import { canonicalHash } from '../core/json.ts';
import type { ConfigPath, Finding } from './config-error.ts';
import type { ClientConfig, Config, DeliveryConfig, JobConfig, JobReport } from './config.ts';
import { reportsByClient } from './job-schema.ts';
import { addressIn } from './value-kinds.ts';

/** A delivery of reports to one recipient, as jobs.yaml defines it. */
export interface DefinedDelivery {
  readonly job: JobConfig;
  /** The reports that it carries: one, or all that the job has for the client. */
  readonly reports: readonly [JobReport, ...JobReport[]];
  /** The client of all its reports; null if they are for the job's owner. */
  readonly client: ClientConfig | null;
  readonly delivery: DeliveryConfig;
  /** The target; a mail has a single address, which may have a name. */
  readonly target: DeliveryConfig['target'];
  /** A key that is equal for equal recipients, whatever else differs. */
  readonly recipient: string;
  /**
   * What makes it another delivery, beside the days of its reports and, if these are not over, its slot. What only
   * changes how a mail looks is not in it, so that such a change sends nothing again.
   */
  readonly identity: object;
  /** The SHA-256 of its identity and its periods as canonical JSON. */
  readonly definition: string;
  /** The path of the delivery in jobs.yaml. */
  readonly path: ConfigPath;
}

/** Lists all deliveries of a job, those of single reports first, in the file's order. */
export function definedDeliveries(job: JobConfig): DefinedDelivery[] {
  const ofReports = job.reports.flatMap((report) =>
    defined(job, [report], report.deliver, ['jobs', job.name, 'reports', report.index]),
  );
  const groups = reportsByClient(job.reports);
  const ofJob = job.deliver.flatMap(({ client, deliveries }) => {
    const reports = groups.find(([report]) => report.client === client);
    return reports ? defined(job, reports, deliveries, ['jobs', job.name]) : [];
  });
  return [...ofReports, ...ofJob];
}

/** @param carrierPath the path of the job or the report that has the deliveries */
function defined(
  job: JobConfig,
  reports: DefinedDelivery['reports'],
  deliveries: readonly DeliveryConfig[],
  carrierPath: ConfigPath,
): DefinedDelivery[] {
  const [{ client }] = reports;
  const periods = reports.map(({ period }) => period);
  return deliveries.flatMap((delivery, index) =>
    targetsOf(delivery.target).map((target) => {
      const recipient = recipientOf(target);
      const identity = {
        recipient,
        name: delivery.name,
        client: client?.key ?? null,
        // reports for no client are about the profiles of their job
        job: client === null ? job.name : null,
        reports: reports.map(({ report, cpm, filters, compare, set }) => {
          return { report, cpm, filters, compare, set };
        }),
        // buckets and programs get files, so what is in these makes another delivery
        files: target.kind === 'mail' ? null : filesOf(reports, delivery),
      };
      const definition = canonicalHash({ identity, periods });
      const path = [...carrierPath, 'deliver', index];
      return { job, reports, client, delivery, target, recipient, identity, definition, path };
    }),
  );
}

function filesOf(reports: DefinedDelivery['reports'], { attach, file }: DeliveryConfig): object {
  return { attach, file, formats: reports.map(({ formats }) => formats) };
}

/** Names the reports of a delivery, each once. */
export function reportNames(reports: readonly Pick<JobReport, 'report'>[]): string[] {
  return [...new Set(reports.map(({ report }) => report))];
}

function targetsOf(target: DeliveryConfig['target']): DefinedDelivery['target'][] {
  if (target.kind !== 'mail') return [target];
  return target.to.map((mailbox) => ({ ...target, to: [mailbox] }));
}

function recipientOf(target: DefinedDelivery['target']): string {
  if (target.kind === 'mail') return addressIn(target.to[0] ?? '');
  return canonicalHash(target);
}

/** Finds deliveries that are equal to an earlier one, of any job, and would never be sent. */
export function findEqualDeliveries({ jobs }: Pick<Config, 'jobs'>): Finding[] {
  const seen = new Set<string>();
  return [...jobs.values()].flatMap(definedDeliveries).flatMap((each) => {
    const { job, reports, client, target, recipient, identity, path } = each;
    const about = { ...identity, job: client === null ? job.profiles : null };
    const key = canonicalHash({ about, periods: reports.map(({ period }) => period) });
    const isRepeated = seen.has(key);
    seen.add(key);
    if (!isRepeated) return [];
    const to = target.kind === 'mail' ? ` to ${recipient}` : '';
    const whom = client ? ` for the client ${client.key}` : '';
    const message = `sends ${reportNames(reports).join(', ')}${whom}${to} as another delivery also does, so it would never be sent; remove one, or give it a name`;
    return [{ path, message }];
  });
}
