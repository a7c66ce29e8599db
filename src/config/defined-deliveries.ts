import { canonicalHash } from '../core/json.ts';
import type { ConfigPath, Finding } from './config-error.ts';
import type { ClientConfig, Config, DeliveryConfig, JobConfig, JobReport } from './config.ts';
import { reportsByClient } from './job-schema.ts';
import { comparableAddress } from './value-kinds.ts';

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
  /** The formats and names of files, where these make another delivery: null for a mail. */
  readonly files: object | null;
  /**
   * The SHA-256 of what makes it another delivery, and of its periods, as canonical JSON. What only changes how a mail looks
   * is not in it, so that such a change sends nothing again. Nor is the key of its job.
   */
  readonly definition: string;
  /** The definition without its recipient: equal for mails that differ in nothing but to whom they go. */
  readonly group: string;
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
  const { profiles } = client ?? job;
  const prices = profiles
    .map(({ workspace, id, cpm, prices: list }) => [workspace, id, cpm ?? list] as const)
    .toSorted(([...a], [...b]) => (a.join('/') < b.join('/') ? -1 : 1));
  return deliveries.flatMap((delivery, index) =>
    targetsOf(delivery.target).map((target) => {
      const recipient = recipientOf(target);
      const files = target.kind === 'mail' ? null : filesOf(reports, delivery);
      const shared = {
        files,
        name: delivery.name,
        client: client?.key ?? null,
        prices,
        reports: inOrder(
          reports.map((report) => ({
            ...selectionOf(report),
            period: report.period,
            cpm: report.cpm,
            ...(report.prices !== null && { prices: report.prices }),
          })),
        ),
      };
      const definition = canonicalHash({ ...shared, recipient });
      const group = canonicalHash(shared);
      const path = [...carrierPath, 'deliver', index];
      const about = { recipient, files, definition, group, path };
      return { job, reports, client, delivery, target, ...about };
    }),
  );
}

/**
 * What selects the posts and figures of a report, beside its days and prices. Lists stand in order, each value once, and what
 * is as by default is left out, so that a new key of a later version sends nothing again.
 */
export function selectionOf({ report, filters, compare, set }: JobReport) {
  const lists = Object.entries(filters)
    .filter(([, values]) => values.length > 0)
    .map(([key, values]) => [key, [...new Set(values)].sort()]);
  const selected = Object.fromEntries(lists) as object;
  return { report, filters: selected, ...(compare !== 'previous' && { compare }), set };
}

/** The order of reports in a mail makes no other delivery. */
export function inOrder<Report extends object>(reports: readonly Report[]): Report[] {
  return reports
    .map((report) => [canonicalHash(report), report] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, report]) => report);
}

/** Buckets and programs get files, so what is in these makes another delivery. */
function filesOf(
  reports: DefinedDelivery['reports'],
  { attach, file, copy }: DeliveryConfig,
): object {
  const copies = reports.map((report) => ({ ...report.copy, ...copy }));
  const isChosen = copies.some((each) => Object.keys(each).length > 0);
  const formats = reports.map((report) => report.formats);
  return { attach, file, formats, ...(isChosen && { copies }) };
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
  if (target.kind === 'mail') return comparableAddress(target.to[0] ?? '');
  return canonicalHash(target);
}

/** Finds deliveries that are equal to an earlier one, of any job, and would never be sent. */
export function findEqualDeliveries({ jobs }: Pick<Config, 'jobs'>): Finding[] {
  const seen = new Set<string>();
  return [...jobs.values()].flatMap(definedDeliveries).flatMap((each) => {
    const { reports, client, target, recipient, definition, path } = each;
    const isRepeated = seen.has(definition);
    seen.add(definition);
    if (!isRepeated) return [];
    const to = target.kind === 'mail' ? ` to ${recipient}` : '';
    const whom = client ? ` for the client ${client.key}` : '';
    const message = `sends ${reportNames(reports).join(', ')}${whom}${to} as another delivery also does, so it would never be sent; remove one, or give it a name`;
    return [{ path, message }];
  });
}
