import { addAbortSignal, type Readable } from 'node:stream';
import type { Command } from '@commander-js/extra-typings';
import { exitCodes, type ExitCode } from '../core/errors.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { getItWhole, IngestInputError } from '../inbox/ingest/ingest-errors.ts';
import { ingestEvents, type IngestReport } from '../inbox/ingest/ingest-events.ts';
import { openFile, readText, type InputBytes } from '../inbox/ingest/input-bytes.ts';
import type { Rejection } from '../inbox/ingest/rejected-texts.ts';
import type { CommandContext, Invoke } from './context.ts';
import { parseSeconds } from './option-values.ts';

const standardInput = '-';

/** Adds `webhooks ingest` to the group of webhook commands. */
export function registerIngest(webhooks: Command, invoke: Invoke): void {
  webhooks
    .command('ingest')
    .description('take events from a file or standard input into the inbox; `-` is standard input')
    .argument('<file>', 'one JSON object, an array, or NDJSON; may be compressed with gzip')
    .option('--wait <seconds>', 'wait so long while another ingest is at it', parseSeconds, 60)
    .option('--json', 'what became of them as JSON')
    .addHelpText(
      'after',
      `
For events that were received elsewhere. They are checked as over HTTP and kept once, however often
they come; what is no event is set aside and told of. The next load or run takes them in.

Examples:
  $ postledger webhooks ingest events.ndjson
  $ postledger webhooks ingest events.json.gz --json
  $ aws s3 cp s3://hooks/2026-11-21.ndjson - | postledger webhooks ingest -`,
    )
    .action((file, options) =>
      invoke(async (context) => {
        const { clock, signal } = context;
        const { dataDir } = await context.loadConfig();
        const name = file === standardInput ? 'standard input' : file;
        const input = readText(await openInput(file, context), name);
        const waitMs = options.wait * 1000;
        const report = await ingestEvents(input, { dataDir, clock, waitMs, signal });
        context.output.write(options.json ? reportJson(report) : reportText(report));
        warnOf(report, context);
        return conclude(report, name);
      }),
    );
}

function openInput(file: string, { dialogue, log, signal }: CommandContext): Promise<InputBytes> {
  if (file !== standardInput) return openFile(file, signal);
  if (dialogue.input.isTTY) log.info({}, 'reading events from the terminal; Ctrl-D ends them');
  return Promise.resolve(addAbortSignal<Readable>(signal, dialogue.input));
}

function reportJson({
  stored,
  duplicates,
  rejections,
  rejected,
  quarantine,
}: IngestReport): string {
  const report = {
    stored,
    duplicate: duplicates,
    rejected: rejections,
    rejected_count: rejected,
    quarantine,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

function reportText({ stored, duplicates, rejections, rejected }: IngestReport): string {
  const counts = [`${count(stored)} stored`, `${count(duplicates)} duplicate`];
  const more = rejected - rejections.length;
  const lines = [
    [...counts, `${count(rejected)} rejected`].join(', '),
    ...rejections.map((rejection) => `${placeOf(rejection)}: ${terminalLine(rejection.reason)}`),
    ...(more > 0 ? [`and ${count(more)} more`] : []),
    ...(stored > 0 ? ['postledger load, or the next run, takes them in.'] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** On one line there may be thousands. */
function placeOf({ line, element }: Rejection): string {
  return element === null ? `line ${line}` : `line ${line}, element ${count(element)}`;
}

function warnOf({ rejected, quarantine }: IngestReport, { log }: CommandContext): void {
  if (quarantine === null) return;
  const texts = rejected === 1 ? '1 text that is' : `${count(rejected)} texts that are`;
  log.warn({}, `${texts} no event ${rejected === 1 ? 'is' : 'are'} kept in ${quarantine}`);
}

/** @throws IngestInputError when the input could not be read, was cut off, or had no event */
function conclude(report: IngestReport, name: string): ExitCode {
  const { stored, duplicates, inputError, cutOff } = report;
  if (inputError) throw inputError;
  if (cutOff !== null) {
    throw new IngestInputError(
      `${name} ends in the middle of the ${cutOff.what} that begins on line ${cutOff.line}; ${getItWhole}`,
    );
  }
  if (stored + duplicates > 0) return exitCodes.done;
  throw new IngestInputError(
    `there is not one event in ${name}; it takes one JSON object, an array of them, or one a line`,
  );
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
