import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Option, type Command } from '@commander-js/extra-typings';
import { selectJobs } from '../config/select.ts';
import type { Config, JobConfig } from '../config/config.ts';
import { definedDeliveries } from '../config/defined-deliveries.ts';
import { exitCodes, UsageError, type ExitCode } from '../core/errors.ts';
import { writeOutput } from '../core/private-files.ts';
import { silentProgress } from '../core/progress.ts';
import { terminalLine } from '../core/terminal-text.ts';
import {
  destinationOf,
  describeWait,
  type Delivery,
  type DeliveryState,
  deliveryJson,
  deliverySentence,
} from '../deliver/delivery.ts';
import { findDelivery, readAllDeliveries, readOutbox } from '../deliver/outbox.ts';
import { sendMail } from '../deliver/smtp.ts';
import { isSettled, sendDeliveries, withOutbox } from '../pipeline/deliveries.ts';
import { deliverJobs, writeMails } from '../pipeline/job-deliveries.ts';
import type { RenderedReport } from '../pipeline/job-reports.ts';
import {
  approveDeliveries,
  previewDelivery,
  resendDelivery,
} from '../pipeline/known-deliveries.ts';
import type { RenderedDelivery } from '../pipeline/render-delivery.ts';
import { confirmChange, DeclinedError, isTerminal } from './confirmation.ts';
import type { CommandContext, Invoke, Register } from './context.ts';
import { parseAddress } from './option-values.ts';
import { printListing, type Listing } from './listing.ts';
import { localTime } from './view.ts';

export const register: Register = (program, invoke) => {
  const deliver = program.command('deliver');
  addSend(deliver, invoke);
  addList(deliver, invoke);
  addApprove(deliver, invoke);
  addPreview(deliver, invoke);
  const moves: readonly Move[] = [
    {
      name: 'retry',
      does: 'send again what failed, or what may or may not have arrived',
      from: ['failed', 'unknown', 'queued'],
      to: 'queued',
    },
    {
      name: 'discard',
      does: 'do not send these; deliver send makes them again, and asks',
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
    .option('--yes', 'send what was discarded, without asking')
    .addHelpText(
      'after',
      `
A report that was sent to the same recipient for the same days is not sent again. One over days that were not read waits
until they were. What waits is rendered again.

Examples:
  $ postledger deliver monthly --dry-run --out ./mails
  $ postledger deliver monthly
  $ postledger deliver list
  $ postledger deliver preview 3f2a --to me@nord.example
  $ postledger deliver approve 3f2a`,
    )
    .action((names, { dryRun, out, yes }) =>
      invoke(async (context) => {
        const config = await context.loadConfig();
        const jobs = selectJobs(config, names);
        requireDelivery(jobs, config);
        const tools = { ...context, config, progress: silentProgress };
        if (dryRun === true) {
          const { reports, sentences } = await writeMails(jobs, resolve(out), tools);
          for (const each of sentences)
            context.output.write(`${terminalLine(each)}
`);
          return printFailed(reports, context);
        }
        const ask = (question: string) => askForDiscarded(question, yes === true, context);
        const { reports, deliveries, unasked } = await deliverJobs(jobs, { ask }, tools);
        const code = printDeliveries(deliveries, context, reports);
        if (unasked.length > 0)
          throw new UsageError(`discarded: ${unasked.join(', ')}; to send it after all, add --yes`);
        return code;
      }),
    );
}

/** @returns null where there is no terminal to ask on */
async function askForDiscarded(
  question: string,
  yes: boolean,
  { dialogue, signal }: CommandContext,
): Promise<boolean | null> {
  if (!yes && !isTerminal(dialogue)) return null;
  try {
    await confirmChange(question, { ...dialogue, yes, signal, command: 'deliver send' });
    return true;
  } catch (error) {
    if (error instanceof DeclinedError) return false;
    throw error;
  }
}

/** Each once. @returns partial where something was not sent that should have been */
function printDeliveries(
  deliveries: readonly Delivery[],
  context: Pick<CommandContext, 'output'>,
  reports: readonly RenderedReport[] = [],
): ExitCode {
  const { output } = context;
  const each = [...new Map(deliveries.map((delivery) => [delivery.record.id, delivery])).values()];
  for (const delivery of each) output.write(`${deliverySentence(delivery)}\n`);
  const code = printFailed(reports, context);
  if (each.length === 0 && code === exitCodes.done) output.write('Nothing to send.\n');
  return each.every(isSettled) ? code : exitCodes.partial;
}

function printFailed(
  reports: readonly RenderedReport[],
  { output }: Pick<CommandContext, 'output'>,
): ExitCode {
  const failed = reports.filter(({ error }) => error !== null);
  for (const { report, client, error } of failed) {
    const name = client === null ? report : `${report} for ${client}`;
    output.write(`${terminalLine(`failed  ${name}: ${error}`)}\n`);
  }
  return failed.length === 0 ? exitCodes.done : exitCodes.partial;
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

function addList(deliver: Command, invoke: Invoke): void {
  deliver
    .command('list')
    .description('show the deliveries of the outbox with their outcomes, the newest first')
    .option('--all', 'also those that were sent or discarded')
    .option('--json', 'as JSON')
    .action((options) =>
      invoke(async ({ loadConfig, output }) => {
        const config = await loadConfig();
        const { dataDir } = config;
        const found = await (options.all ? readAllDeliveries(dataDir) : readOutbox(dataDir));
        const shown = found.reverse();
        const list = deliveryListing(shown, config);
        printListing(output, options, list, shown.map(deliveryJson));
        return exitCodes.done;
      }),
    );
}

function deliveryListing(rows: readonly Delivery[], config: Config): Listing<Delivery> {
  return {
    rows,
    columns: [
      ['Delivery', ({ record }) => record.id],
      ['State', ({ status }) => status.state],
      ['Report', ({ record }) => record.report],
      ['Client', ({ record }) => record.client],
      ['To', ({ record }) => destinationOf(record.target)],
      ['Since', ({ status }) => localTime(status.changed_at || null, config)],
      ['Why', whyOpen],
    ],
    empty: 'Nothing waits.',
    ifTooWide: 'blocks',
  };
}

function whyOpen(delivery: Delivery): string | null {
  const wait = describeWait(delivery);
  return wait === null ? delivery.status.reason : `waits for ${wait}`;
}

function addApprove(deliver: Command, invoke: Invoke): void {
  deliver
    .command('approve')
    .description("render what is held again, from today's files, and send it")
    .argument('[id...]', 'deliveries, by the beginnings of their ids; see: postledger deliver list')
    .option('--all', 'all that are held')
    .option('--job <job>', 'with --all: those of this job')
    .action((ids, { all, job }) =>
      invoke(async (context) => {
        const config = await context.loadConfig();
        if ((all === true) === ids.length > 0)
          throw new UsageError('deliver approve takes ids, or --all');
        if (job !== undefined) selectJobs(config, [job]);
        const isNamed = ({ record, status }: Delivery) =>
          status.state === 'held' &&
          status.waits_for?.kind !== 'recipient' &&
          record.job === (job ?? record.job);
        const named = all
          ? (await readOutbox(config.dataDir)).filter(isNamed)
          : await namedDeliveries(ids, { name: 'approve', from: ['held'], to: 'queued' }, config);
        const tools = { ...context, config, progress: silentProgress };
        const { reports, deliveries } = await approveDeliveries(named, tools);
        const code = printDeliveries(deliveries, context, reports);
        const isWhole = deliveries.every(({ status }) => status.state !== 'held');
        return isWhole ? code : exitCodes.partial;
      }),
    );
}

function addPreview(deliver: Command, invoke: Invoke): void {
  deliver
    .command('preview')
    .description("render a delivery again, from today's files, and write what its reader would get")
    .argument('<id>', 'the delivery, by the beginning of its id')
    .option('--out <dir>', 'where the mail goes as HTML, with its attachments', './preview')
    .addOption(
      new Option('--to <address>', 'send the mail there instead, marked as a preview')
        .argParser(parseAddress)
        .conflicts('out'),
    )
    .action((id, { out, to = null }) =>
      invoke(async (context) => {
        const config = await context.loadConfig();
        const delivery = await findDelivery(config.dataDir, id);
        const tools = { ...context, config, progress: silentProgress };
        if (to !== null) return sendPreview(delivery, to, tools);
        const { reports, again } = await previewDelivery(delivery, null, tools);
        if (again) await writePreview(again, out, context);
        return printFailed(reports, context);
      }),
    );
}

async function writePreview(
  { record: { id, target }, shown }: RenderedDelivery,
  out: string,
  { output }: CommandContext,
): Promise<void> {
  if (target?.kind === 'mail')
    output.write(`${terminalLine(`${destinationOf(target)}: ${target.subject}`)}\n`);
  for (const { name, content } of shown) {
    const path = join(resolve(out, id), name);
    await writeOutput(path, (draft) => writeFile(draft, content));
    output.write(`${terminalLine(path)}\n`);
  }
}

/** Sends a mail to somebody who looks at it first, and records nothing. @throws UsageError if it is no mail */
async function sendPreview(
  delivery: Delivery,
  to: string,
  tools: CommandContext & { readonly config: Config },
): Promise<ExitCode> {
  const mail = requireMail(tools.config);
  if (delivery.record.target?.kind !== 'mail')
    throw new UsageError(`${delivery.record.id} is no mail: leave out --to to get its files`);
  const { reports, again } = await previewDelivery(delivery, to, tools);
  const code = printFailed(reports, tools);
  if (again === null) return exitCodes.failed;
  const { state, reason } = await sendMail(mail, to, again.files, tools);
  const isSent = state === 'sent';
  const words = isSent ? `preview sent to ${to}` : 'not sent';
  tools.output.write(`${terminalLine(`${words}: ${reason}`)}\n`);
  return isSent ? code : exitCodes.failed;
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
        const at = context.clock.now().toISOString();
        const act = { did: 'discarded', who: null, at } as const;
        await withOutbox(tools, async (outbox) => {
          for (const delivery of await namedDeliveries(ids, { name, from, to }, config))
            await outbox.set(delivery, to, to === 'discarded' ? { history: [act] } : {});
        });
        if (to === 'discarded') return exitCodes.done;
        return printDeliveries(await sendDeliveries(tools), context);
      }),
    );
}

/** @throws UsageError when one is unknown, or cannot be moved so */
async function namedDeliveries(
  ids: readonly string[],
  move: Omit<Move, 'does'>,
  { dataDir }: Config,
): Promise<Delivery[]> {
  const named: Delivery[] = [];
  for (const id of ids) named.push(await findDelivery(dataDir, id));
  for (const { record, status } of named) {
    const problem = problemOf(status, move);
    if (problem !== null)
      throw new UsageError(`${record.id} ${problem}: there is nothing to ${move.name}`);
  }
  return named;
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
    .description('render a sent report again, and send it at once as a correction')
    .argument(
      '<id>',
      'the delivery, by the beginning of its id; see: postledger deliver list --all',
    )
    .option('--note <text>', 'what its readers are told, beside which figures have changed')
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
        const resent = await resendDelivery(id, note ?? null, tools);
        for (const { report, target } of resent.unreached)
          context.output.write(
            `${terminalLine(`not sent  ${report} to ${destinationOf(target)}, who got it: jobs.yaml no longer sends it there`)}\n`,
          );
        return printDeliveries(resent.deliveries, context, resent.reports);
      }),
    );
}
