import { join, resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { selectJobs } from '../config/select.ts';
import type { Config, JobConfig } from '../config/config.ts';
import { definedDeliveries } from '../config/defined-deliveries.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { exitCodes, UsageError, type ExitCode } from '../core/errors.ts';
import { problemText } from '../core/machine-problem.ts';
import { silentProgress } from '../core/progress.ts';
import { terminalLine } from '../core/terminal-text.ts';
import {
  deliveryOf,
  destinationOf,
  describeWait,
  type Delivery,
  type DeliveryState,
  deliveryJson,
  deliverySentence,
} from '../deliver/delivery.ts';
import { notifyOf } from '../deliver/notify.ts';
import { findDeliveries, Outbox, readAllDeliveries, readOutbox } from '../deliver/outbox.ts';
import { createComposer } from '../pipeline/compose-deliveries.ts';
import {
  isSettled,
  openDeliveries,
  outboxOf,
  resendDelivery,
  sendDeliveries,
} from '../pipeline/deliveries.ts';
import { renderJobReports, type Deliver } from '../pipeline/job-reports.ts';
import { printResult, type CommandContext, type Invoke, type Register } from './context.ts';
import { recordLines } from './plain-table.ts';
import { localTime, nothing } from './view.ts';

export const registerDeliver: Register = (program, invoke) => {
  const deliver = program.command('deliver');
  addSend(deliver, invoke);
  addList(deliver, invoke);
  const moves: readonly Move[] = [
    {
      name: 'approve',
      does: 'send what is held, as it is',
      from: ['held'],
      to: 'queued',
    },
    {
      name: 'retry',
      does: 'send again what failed, or what may or may not have arrived',
      from: ['failed', 'unknown', 'queued'],
      to: 'queued',
    },
    {
      name: 'discard',
      does: 'never send these',
      from: ['held', 'queued', 'failed', 'unknown'],
      to: 'discarded',
    },
  ];
  for (const move of moves) addMove(deliver, invoke, move);
  addResend(deliver, invoke);
};

function addSend(deliver: Command, invoke: Invoke): void {
  deliver
    .command('send', { isDefault: true })
    .description('render the reports of jobs from the warehouse and send them, without API calls')
    .argument('[job...]', 'names of jobs; all when none is named')
    .option(
      '--dry-run',
      'write mails as .eml files and say where other files would go; sends nothing',
    )
    .option('--out <dir>', 'where the .eml files go', './mails')
    .addHelpText(
      'after',
      `
A report that was sent for the same period since the job's last scheduled time is not sent again. One over days that were
not read waits until they were.

Examples:
  $ postledger deliver monthly --dry-run --out ./mails
  $ postledger deliver monthly
  $ postledger deliver list
  $ postledger deliver approve 3f2a`,
    )
    .action((names, { dryRun, out }) =>
      invoke(async (context) => {
        const config = await context.loadConfig();
        const jobs = selectJobs(config, names);
        requireDelivery(jobs, config);
        const tools = { ...context, config, progress: silentProgress };
        let failed = 0;
        const newlyHeld: Delivery[] = [];
        const write =
          dryRun === true
            ? dryRunOf(resolve(out), config, context)
            : outboxOf(tools, (delivery) => newlyHeld.push(delivery));
        for (const job of jobs) {
          const reports = await renderJobReports(job, tools, { deliver: write });
          failed += reports.filter(({ error }) => error !== null).length;
        }
        if (dryRun === true) return failed === 0 ? exitCodes.done : exitCodes.partial;
        const sent = await sendDeliveries(tools);
        const open = (await Promise.all(jobs.map((job) => openDeliveries(job, config)))).flat();
        const code = printDeliveries([...sent, ...open], context);
        await notifyHeld(newlyHeld, config, context);
        return failed === 0 ? code : exitCodes.partial;
      }),
    );
}

/** Each once. @returns partial where something was not sent that should have been */
function printDeliveries(
  deliveries: readonly Delivery[],
  { output }: Pick<CommandContext, 'output'>,
): ExitCode {
  const each = [...new Map(deliveries.map((delivery) => [delivery.record.id, delivery])).values()];
  for (const delivery of each) output.write(`${deliverySentence(delivery)}\n`);
  if (each.length === 0) output.write('Nothing to send.\n');
  return each.every(isSettled) ? exitCodes.done : exitCodes.partial;
}

/** Notifies of reports that are held, as a run does. */
async function notifyHeld(held: readonly Delivery[], config: Config, context: CommandContext) {
  const { dataDir, mail, notify: rules } = config;
  for (const name of new Set(held.map(({ record }) => record.job))) {
    const text = held
      .filter(({ record }) => record.job === name)
      .map(deliverySentence)
      .join('\n');
    const news = { job: name, state: 'partial', text, isNew: true } as const;
    await notifyOf(news, { ...context, dataDir, mail, rules }).catch((error: unknown) => {
      context.log.warn({ job: name }, `notifications were not sent: ${problemText(error)}`);
    });
  }
}

/** @throws UsageError where nothing is ever sent */
export function requireMail({ mail, file }: Config): NonNullable<Config['mail']> {
  if (mail !== null) return mail;
  throw new UsageError(`${file} has no mail: add the SMTP server, see docs/deliver.md`);
}

/** @throws UsageError where no report of the jobs is sent anywhere */
function requireDelivery(jobs: readonly JobConfig[], { file }: Config): void {
  if (jobs.some((job) => definedDeliveries(job).length > 0)) return;
  throw new UsageError(`${file} says of no report where it goes: add deliver, see docs/deliver.md`);
}

/** Writes mails to files, and says where other reports would go. */
function dryRunOf(folder: string, config: Config, context: CommandContext): Deliver {
  const { output } = context;
  const compose = createComposer({ ...context, config });
  return async (job, report, made) => {
    for (const { record, files, first } of await compose(job, report, made)) {
      const { target, client, id } = record;
      const held =
        first.state === 'queued' ? '' : `, ${first.state}: ${first.reason ?? 'approval'}`;
      if (target?.kind !== 'mail') {
        const names = files.map(({ name }) => name).join(', ');
        output.write(`${terminalLine(`${names} would go to ${destinationOf(target)}${held}`)}\n`);
        continue;
      }
      const words = [
        job.name,
        record.report.replaceAll(', ', '-'),
        client,
        target.address,
        id.slice(11, 19),
      ];
      const name = words
        .filter(Boolean)
        .join('-')
        .replaceAll(/[^\w.@-]/g, '_');
      const path = join(folder, `${name}.eml`);
      await writeFileAtomic(path, files[0]?.content ?? '');
      output.write(`${terminalLine(`${path}${held}`)}\n`);
    }
  };
}

function addList(deliver: Command, invoke: Invoke): void {
  deliver
    .command('list')
    .description('show the outbox and what became of each delivery, the newest first')
    .option('--all', 'also those that were sent or discarded')
    .option('--json', 'as JSON')
    .action((options) =>
      invoke(async ({ loadConfig, output, clock }) => {
        const config = await loadConfig();
        const { dataDir } = config;
        const found = await (options.all ? readAllDeliveries(dataDir) : readOutbox(dataDir));
        const shown = found.reverse();
        const data = shown.map(deliveryJson);
        printResult(output, options, data, () => {
          if (shown.length === 0) return 'Nothing waits.\n';
          const rows = shown.map((delivery) => {
            const { record, status } = delivery;
            const wait = describeWait(delivery);
            return [
              record.id,
              status.state,
              record.report,
              record.client ?? nothing,
              destinationOf(record.target),
              localTime(status.changed_at || null, config),
              wait === null ? (status.reason ?? nothing) : `waits for ${wait}`,
            ].map(terminalLine);
          });
          const heads = ['Delivery', 'State', 'Report', 'Client', 'To', 'Since', 'Why'];
          const place = { ...output, ...config, now: clock.now() };
          return `${recordLines({ heads, rows }, place).join('\n')}\n`;
        });
        return exitCodes.done;
      }),
    );
}

interface Move {
  readonly name: string;
  readonly does: string;
  readonly from: readonly DeliveryState[];
  readonly to: 'queued' | 'discarded';
}

function addMove(deliver: Command, invoke: Invoke, { name, does, from, to }: Move): void {
  deliver
    .command(name)
    .description(does)
    .argument('<id...>', 'deliveries, by the beginnings of their ids; see: postledger deliver list')
    .action((ids) =>
      invoke(async (context): Promise<ExitCode> => {
        const config = await context.loadConfig();
        const tools = { ...context, config };
        await Outbox.with(config.dataDir, { ...tools, waitMs: 0 }, async (outbox) => {
          const named: Delivery[] = [];
          for (const id of ids)
            named.push(deliveryOf(await findDeliveries(config.dataDir, id), id));
          for (const { record, status } of named) {
            const problem = problemOf(status, { from, to });
            if (problem !== null)
              throw new UsageError(`${record.id} ${problem}: there is nothing to ${name}`);
          }
          for (const delivery of named) await outbox.set(delivery, to);
        });
        if (to === 'discarded') return exitCodes.done;
        return printDeliveries(await sendDeliveries(tools), context);
      }),
    );
}

/** Why a delivery cannot be moved so; null: it can. */
function problemOf(
  { state, waits_for: wait, reason }: Delivery['status'],
  { from, to }: Pick<Move, 'from' | 'to'>,
): string | null {
  if (to === 'queued' && wait?.kind === 'recipient') return `is held (${reason ?? ''})`;
  return from.includes(state) ? null : `is ${state}`;
}

function addResend(deliver: Command, invoke: Invoke): void {
  deliver
    .command('resend')
    .description('render a report that was sent anew, and send it at once as a correction')
    .argument(
      '<id>',
      'the delivery, by the beginning of its id; see: postledger deliver list --all',
    )
    .option('--note <text>', 'what its reader is told, beside which figures have changed')
    .addHelpText(
      'after',
      `
Example:
  $ postledger deliver resend 3f2a --note "A key had expired: the figures of Acme Studio were missing."`,
    )
    .action((id, { note }) =>
      invoke(async (context) => {
        const config = await context.loadConfig();
        const tools = { ...context, config, progress: silentProgress };
        const { reports, deliveries } = await resendDelivery(id, note ?? null, tools);
        const code = printDeliveries(deliveries, context);
        return reports.every(({ error }) => error === null) ? code : exitCodes.partial;
      }),
    );
}
