import { join, resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { selectJobs } from '../config/select.ts';
import type { Config, JobConfig } from '../config/config.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { exitCodes, UsageError, type ExitCode } from '../core/errors.ts';
import { terminalLine } from '../core/terminal-text.ts';
import {
  deliveryOf,
  destinationOf,
  Outbox,
  outboxFolder,
  readOutbox,
  type Delivery,
  type DeliveryState,
} from '../deliver/outbox.ts';
import { silentProgress } from '../core/progress.ts';
import {
  composeDeliveries,
  outboxOf,
  sendDeliveries,
  type Deliver,
} from '../pipeline/deliveries.ts';
import { renderJobReports } from '../pipeline/job-reports.ts';
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
      does: 'send what is held',
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
A report that was sent for the same period since the job's last scheduled time is not sent again.

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
        const write = dryRun === true ? dryRunOf(resolve(out), config, context) : outboxOf(tools);
        for (const job of jobs) {
          const reports = await renderJobReports(job, tools, write);
          failed += reports.filter(({ error }) => error !== null).length;
        }
        const deliveries = dryRun === true ? [] : await sendDeliveries(tools);
        for (const delivery of deliveries) context.output.write(`${sentence(delivery)}\n`);
        if (dryRun !== true && deliveries.length === 0) context.output.write('Nothing to send.\n');
        const isWhole = failed === 0 && deliveries.every(({ status }) => status.state === 'sent');
        return isWhole ? exitCodes.done : exitCodes.partial;
      }),
    );
}

/** @throws UsageError where nothing is ever sent */
export function requireMail({ mail, file }: Config): NonNullable<Config['mail']> {
  if (mail !== null) return mail;
  throw new UsageError(`${file} has no mail: add the SMTP server, see docs/deliver.md`);
}

/** @throws UsageError where no report of the jobs is sent anywhere */
function requireDelivery(jobs: readonly JobConfig[], { file }: Config): void {
  if (jobs.some(({ reports }) => reports.some(({ deliver }) => deliver.length > 0))) return;
  throw new UsageError(`${file} says of no report where it goes: add deliver, see docs/deliver.md`);
}

/** Writes mails to files, and says where other reports would go. */
function dryRunOf(folder: string, config: Config, context: CommandContext): Deliver {
  const { output } = context;
  return async (job, report, made) => {
    for (const { record, files } of await composeDeliveries(job, report, made, {
      ...context,
      config,
    })) {
      const { target, client, id } = record;
      if (target?.kind !== 'mail') {
        const names = files.map(({ name }) => name).join(', ');
        output.write(`${terminalLine(`${names} would go to ${destinationOf(target)}`)}\n`);
        continue;
      }
      const words = [job.name, report.report, client, target.address, id.slice(0, 8)];
      const name = words
        .filter(Boolean)
        .join('-')
        .replaceAll(/[^\w.@-]/g, '_');
      const path = join(folder, `${name}.eml`);
      await writeFileAtomic(path, files[0]?.content ?? '');
      output.write(`${path}\n`);
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
        const done: readonly DeliveryState[] = ['sent', 'discarded'];
        const all = await readOutbox(outboxFolder(config.dataDir));
        const shown = all
          .filter(({ status }) => options.all === true || !done.includes(status.state))
          .reverse();
        const data = shown.map(({ record, status }) => ({
          ...record,
          destination: destinationOf(record.target),
          ...status,
        }));
        printResult(output, options, data, () => {
          if (shown.length === 0) return `Nothing waits; deliveries in all: ${all.length}.\n`;
          const rows = shown.map(({ record, status }) =>
            [
              record.id,
              status.state,
              record.report,
              record.client ?? nothing,
              destinationOf(record.target),
              localTime(status.changed_at || null, config),
              status.reason ?? nothing,
            ].map(terminalLine),
          );
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
          const all = await outbox.list();
          const named = ids.map((id) => deliveryOf(all, id));
          const wrong = named.find(({ status }) => !from.includes(status.state));
          if (wrong) {
            const { record, status } = wrong;
            throw new UsageError(`${record.id} is ${status.state}: there is nothing to ${name}`);
          }
          for (const delivery of named) await outbox.set(delivery, to);
        });
        if (to === 'discarded') return exitCodes.done;
        const deliveries = await sendDeliveries(tools);
        for (const delivery of deliveries) context.output.write(`${sentence(delivery)}\n`);
        const isWhole = deliveries.every(({ status }) => status.state === 'sent');
        return isWhole ? exitCodes.done : exitCodes.partial;
      }),
    );
}

function sentence({ record, status }: Delivery): string {
  const why = status.state === 'sent' || status.reason === null ? '' : `: ${status.reason}`;
  return terminalLine(`${status.state}  ${record.report} to ${destinationOf(record.target)}${why}`);
}
