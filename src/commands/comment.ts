import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type {
  ClientConfig,
  CommentConfig,
  Config,
  JobConfig,
  JobReport,
  PeriodConfig,
} from '../config/config.ts';
import { dayOf, isDay } from '../core/calendar.ts';
import { exitCodes, hasErrorCode, UsageError } from '../core/errors.ts';
import { readDocument } from '../output/report-output.ts';
import { parametersOf, placeholderValues } from '../pipeline/job-reports.ts';
import { commentPath } from '../pipeline/markdown-file.ts';
import { commentForm } from '../render/comment-form.ts';
import { resolvePeriod, type Period } from '../report/period.ts';
import { reportConfigOf } from '../report/report-parameters.ts';
import { defaultLimits } from '../warehouse/limits.ts';
import type { CommandContext, Register } from './context.ts';
import { parsePeriod } from './option-values.ts';
import { clientOf } from './report-filters.ts';
import { namedReports } from './report-run.ts';

export const register: Register = (program, invoke) => {
  program
    .command('comment')
    .description('make the file for a comment on the reports of a client, and print its path')
    .argument('<client>', 'the key of a client of jobs.yaml')
    .option(
      '--period <name>',
      'such as 2026-10, 2026-Q3, 2026, last_month or 2026-10-01_2026-10-15 (default: that of each report)',
      parseDays,
    )
    .addHelpText(
      'after',
      `
The file begins with the figures, which are not printed, and has questions as headings. A heading without a text below
it is not printed either. A file that is there stays as it is.

Example:
  $ postledger comment acme --period 2026-10`,
    )
    .action((key, { period }) =>
      invoke(async (context) => {
        const config = await context.loadConfig();
        const client = clientOf(key, config.clients);
        const files = commentFiles(client, period ?? null, config, context.clock.now());
        if (files.size === 0)
          throw new UsageError(
            `${config.file} has no comment for ${key}: add comment: ./comments/{client}/{period}.md to a job, see docs/deliver.md`,
          );
        for (const [path, about] of files) {
          if (!existsSync(path)) await writeNew(path, await formOf(about, config, context));
          context.output.write(`${path}\n`);
        }
        return exitCodes.done;
      }),
    );
};

/** A name of a period, or two days as `{period}` has them. */
function parseDays(text: string): PeriodConfig {
  const [from = '', to = ''] = text.split('_');
  return isDay(from) && isDay(to) && from <= to ? { from, to } : parsePeriod(text);
}

interface CommentedReport {
  readonly job: JobConfig;
  readonly entry: JobReport;
  readonly period: Period;
}

/** The files of all comments on the client's reports, each with the first report that it is for. */
function commentFiles(
  client: ClientConfig,
  wanted: PeriodConfig | null,
  { jobs, timezone }: Config,
  now: Date,
): Map<string, CommentedReport> {
  const files = new Map<string, CommentedReport>();
  const today = dayOf(now, client.timezone);
  for (const job of jobs.values())
    for (const entry of job.reports.filter((each) => each.client === client)) {
      const period = resolvePeriod(wanted ?? entry.period, now, timezone);
      const values = placeholderValues(job, entry, period, { language: client.language, today });
      for (const comment of commentsOf(job, entry)) {
        const path = commentPath(comment, values);
        if (!files.has(path)) files.set(path, { job, entry, period });
      }
    }
  return files;
}

function commentsOf({ deliver }: JobConfig, entry: JobReport): CommentConfig[] {
  const ofJob = deliver.find(({ client }) => client === entry.client)?.deliveries ?? [];
  return [entry, ...entry.deliver, ...ofJob].flatMap(({ comment }) => comment ?? []);
}

/** Writes a file unless another process has just made it. */
async function writeNew(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { flag: 'wx' }).catch((error: unknown) => {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
  });
}

async function formOf(
  { job, entry, period }: CommentedReport,
  config: Config,
  { clock, signal }: CommandContext,
): Promise<string> {
  const [definition] = await namedReports(config, [entry.report]);
  if (definition === undefined) throw new RangeError(`no report ${entry.report}`);
  const source = {
    config: reportConfigOf(config, entry.client, clock.now()),
    parameters: parametersOf(job, entry, period, config.prices),
    set: entry.set,
  };
  const tools = { clock, signal, limits: defaultLimits };
  return commentForm(await readDocument(definition, source, tools));
}
