import { join, resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { selectJobs } from '../config/select.ts';
import type { Config } from '../config/config.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { exitCodes, UsageError, type ExitCode } from '../core/errors.ts';
import { terminalLine } from '../core/terminal-text.ts';
import {
  deliveryOf,
  Outbox,
  outboxFolder,
  readOutbox,
  type Delivery,
  type DeliveryState,
} from '../deliver/outbox.ts';
import { silentProgress } from '../core/progress.ts';
import { composeMails, outboxOf, sendMails } from '../pipeline/deliveries.ts';
import { renderJobReports } from '../pipeline/job-reports.ts';
import { printResult, type CommandContext, type Invoke, type Register } from './context.ts';
import { recordLines } from './plain-table.ts';
import { localTime, nothing } from './view.ts';
import { plural } from './wording.ts';

export const registerDeliver: Register = (program, invoke) => {
  const deliver = program.command('deliver');
  addSend(deliver, invoke);
  addList(deliver, invoke);
  const moves: readonly Move[] = [
    {
      name: 'approve',
      does: 'send mails that are held',
      from: ['held'],
      to: 'queued',
    },
    {
      name: 'retry',
      does: 'send mails again that failed, or of which it is not known whether they arrived',
      from: ['failed', 'unknown', 'queued'],
      to: 'queued',
    },
    {
      name: 'discard',
      does: 'never send these mails',
      from: ['held', 'queued', 'failed', 'unknown'],
      to: 'discarded',
    },
  ];
  for (const move of moves) addMove(deliver, invoke, move);
};

function addSend(deliver: Command, invoke: Invoke): void {
  deliver
    .command('send', { isDefault: true })
    .description('render the reports of jobs from the warehouse and mail them; reads nothing anew')
    .argument('[job...]', 'names of jobs; all when none is named')
    .option('--dry-run', 'write the mails as .eml files instead of sending them')
    .option('--out <dir>', 'where these go', './mails')
    .addHelpText(
      'after',
      `
A report that was mailed for the same period since the job's last scheduled time is not sent again.

Examples:
  $ postledger deliver monthly --dry-run --out ./mails
  $ postledger deliver monthly
  $ postledger deliver list
  $ postledger deliver approve 3f2a`,
    )
    .action((names, { dryRun, out }) =>
      invoke(async (context) => {
        const config = await context.loadConfig();
        requireMail(config);
        const tools = { ...context, config, progress: silentProgress };
        let failed = 0;
        const write = dryRun === true ? mailFiles(resolve(out), config, context) : outboxOf(tools);
        for (const job of selectJobs(config, names)) {
          const reports = await renderJobReports(job, tools, write);
          failed += reports.filter(({ error }) => error !== null).length;
        }
        const mails = dryRun === true ? [] : await sendMails(tools);
        for (const mail of mails) context.output.write(`${sentence(mail)}\n`);
        if (dryRun !== true && mails.length === 0) context.output.write('Nothing to send.\n');
        const isWhole = failed === 0 && mails.every(({ status }) => status.state === 'sent');
        return isWhole ? exitCodes.done : exitCodes.partial;
      }),
    );
}

/** @throws UsageError where nothing is ever sent */
export function requireMail({ mail, file }: Config): NonNullable<Config['mail']> {
  if (mail !== null) return mail;
  throw new UsageError(`${file} has no mail: add the SMTP server, see docs/deliver.md`);
}

function mailFiles(folder: string, config: Config, context: CommandContext) {
  const deliver: ReturnType<typeof outboxOf> = async (job, report, made) => {
    for (const { record, message } of await composeMails(job, report, made, {
      ...context,
      config,
    })) {
      const { client, address, id } = record;
      const words = [job.name, report.report, client, address, id.slice(0, 8)].filter(Boolean);
      const path = join(folder, `${words.join('-').replaceAll(/[^\w.@-]/g, '_')}.eml`);
      await writeFileAtomic(path, message);
      context.output.write(`${path}\n`);
    }
  };
  return deliver;
}

function addList(deliver: Command, invoke: Invoke): void {
  deliver
    .command('list')
    .description('show the mails of the outbox and what became of them, the newest first')
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
        const data = shown.map(({ record, status }) => ({ ...record, ...status }));
        printResult(output, options, data, () => {
          if (shown.length === 0) return `Nothing waits; ${plural(all.length, 'mail')} in all.\n`;
          const rows = shown.map(({ record, status }) =>
            [
              record.id,
              status.state,
              record.report,
              record.client ?? nothing,
              record.address,
              localTime(status.changed_at || null, config),
              status.reason ?? nothing,
            ].map(terminalLine),
          );
          const heads = ['Mail', 'State', 'Report', 'Client', 'To', 'Since', 'Why'];
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
    .argument('<id...>', 'mails, by the beginnings of their ids; see: postledger deliver list')
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
        requireMail(config);
        const mails = await sendMails(tools);
        for (const mail of mails) context.output.write(`${sentence(mail)}\n`);
        const isWhole = mails.every(({ status }) => status.state === 'sent');
        return isWhole ? exitCodes.done : exitCodes.partial;
      }),
    );
}

function sentence({ record, status }: Delivery): string {
  const { report, address } = record;
  const why = status.state === 'sent' || status.reason === null ? '' : `: ${status.reason}`;
  return terminalLine(`${status.state}  ${report} to ${address}${why}`);
}
