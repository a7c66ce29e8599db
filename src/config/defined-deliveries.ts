import { canonicalHash } from '../core/json.ts';
import type { ConfigProblem } from './config-error.ts';
import type {
  CommandTarget,
  Config,
  DeliveryConfig,
  JobConfig,
  JobReport,
  MailTarget,
  S3Target,
} from './config.ts';

/** A delivery of a report to one recipient, as jobs.yaml defines it. */
export interface DefinedDelivery {
  readonly job: JobConfig;
  readonly report: JobReport;
  readonly delivery: DeliveryConfig;
  /** The target; a mail has a single address. */
  readonly target: MailTarget | S3Target | CommandTarget;
  /** A key that is equal for equal recipients, whatever else differs. */
  readonly recipient: string;
  /** The SHA-256 of the whole definition as canonical JSON. Definitions that differ are different deliveries. */
  readonly definition: string;
}

/** Lists all deliveries of a job, in the file's order. */
export function definedDeliveries(job: JobConfig): DefinedDelivery[] {
  return job.reports.flatMap((report) =>
    report.deliver.flatMap((delivery) =>
      targetsOf(delivery.target).map((target) => ({
        job,
        report,
        delivery,
        target,
        recipient: recipientOf(target),
        definition: canonicalHash({
          job: job.name,
          client: report.client?.key ?? null,
          report: { ...report, client: null, place: null, out: null, deliver: null },
          delivery: { ...delivery, target },
        }),
      })),
    ),
  );
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
    return definedDeliveries(job).flatMap((defined) => {
      const { report, delivery, target, recipient, definition } = defined;
      const isRepeated = seen.has(definition);
      seen.add(definition);
      if (!isRepeated) return [];
      const at = report.deliver.indexOf(delivery);
      const path = ['jobs', job.name, 'reports', report.place, 'deliver', at];
      const to = target.kind === 'mail' ? ` to ${recipient}` : '';
      const whom = report.client ? ` for the client ${report.client.key}` : '';
      const message = `sends ${report.report}${whom}${to} as another delivery of the job also does; remove one, or change what is sent`;
      return [{ path, message, line: lineOf(path) }];
    });
  });
}
