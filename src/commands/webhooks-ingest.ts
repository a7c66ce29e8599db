import { createReadStream } from 'node:fs';
import { errorMessage, exitCodes, hasErrorCode, UsageError } from '../core/errors.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { IngestError, ingestEvents, type IngestReport } from '../webhooks/ingest.ts';
import { printResult, type CommandContext, type Register } from './context.ts';
import { thousands } from '../core/wording.ts';

const standardInput = '-';

export const registerIngest: Register = (webhooks, invoke) => {
  webhooks
    .command('ingest')
    .description('store events from a file or standard input; `-` is standard input')
    .argument('<file>', 'one JSON object, an array, or NDJSON; may be compressed with gzip')
    .option('--json', 'the counts and what was rejected as JSON')
    .addHelpText(
      'after',
      `
For events that were received elsewhere. They are checked as over HTTP and stored once, however often
they come; what is not an event is reported. The next load or run applies them.

Examples:
  $ postledger webhooks ingest events.ndjson
  $ postledger webhooks ingest events.json.gz --json
  $ aws s3 cp s3://hooks/2026-11-21.ndjson - | postledger webhooks ingest -`,
    )
    .action((file, options) =>
      invoke(async (context) => {
        const { dataDir } = await context.loadConfig({ mayBeErasing: true });
        const name = file === standardInput ? 'standard input' : file;
        const input = openInput(file, context);
        const { isCutOff, ...counts } = await ingestEvents(input, { dataDir, ...context });
        printResult(context.output, options, counts, countsText);
        const { stored, duplicate, rejected } = counts;
        if (isCutOff) {
          const line = rejected.at(-1)?.line;
          const remedy = 'get it whole and ingest it again, events that are stored count once';
          throw new IngestError(`${name} ends in the middle of line ${line}; ${remedy}`);
        }
        if (stored + duplicate === 0) {
          throw new IngestError(
            `${name} has no event; it takes one JSON object, an array of them, or one a line`,
          );
        }
        if (rejected.length > 0) context.log.warn({}, `${thousands(rejected.length)} rejected`);
        return exitCodes.done;
      }),
    );
};

/** @throws UsageError for a file that cannot be read */
async function* openInput(
  file: string,
  { dialogue, log, signal }: CommandContext,
): AsyncGenerator<Buffer> {
  if (file === standardInput) {
    if (dialogue.input.isTTY) log.info({}, 'reading events from the terminal; Ctrl-D ends them');
    yield* dialogue.input as AsyncIterable<Buffer>;
    return;
  }
  try {
    yield* createReadStream(file, { signal }) as AsyncIterable<Buffer>;
  } catch (error) {
    const reason = hasErrorCode(error, 'ENOENT') ? 'it does not exist' : errorMessage(error);
    throw new UsageError(
      `${file} cannot be read: ${reason}; name a file of events, or - for standard input`,
      { cause: error },
    );
  }
}

/** Rejected texts that are shown; `--json` has all of them. */
const maxShown = 1_000;

function countsText({ stored, duplicate, rejected }: Omit<IngestReport, 'isCutOff'>): string {
  const more = rejected.length - maxShown;
  const lines = [
    `${thousands(stored)} stored, ${thousands(duplicate)} duplicate, ${thousands(rejected.length)} rejected`,
    ...rejected.slice(0, maxShown).map(({ line, element, reason }) => {
      const position = element === null ? `line ${line}` : `line ${line}, element ${element}`;
      return `${position}: ${terminalLine(reason)}`;
    }),
    ...(more > 0 ? [`and ${thousands(more)} more`] : []),
    ...(stored > 0 ? ['The next postledger load or run applies them.'] : []),
  ];
  return `${lines.join('\n')}\n`;
}
