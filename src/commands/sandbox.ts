import { readFile } from 'node:fs/promises';
import { Option } from '@commander-js/extra-typings';
import { errorMessage, exitCodes, UsageError } from '../core/errors.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { faultLevels } from '../sandbox/faults/fault-kinds.ts';
import { defaultSandbox } from '../sandbox/identity.ts';
import { parseRecordedWorkspace } from '../sandbox/recorded-workspace.ts';
import { startSandbox, type SandboxDescription } from '../sandbox/sandbox.ts';
import { printResult, untilAborted, type Register } from './context.ts';
import { parsePort, parseTime, wholeNumber } from './option-values.ts';
import { readWebhookAddress } from './webhook-address.ts';

export const registerSandbox: Register = (program, invoke) => {
  const sandbox = program.command('sandbox');
  sandbox
    .command('serve')
    .description('serve the API on loopback, with made-up or recorded data, until Ctrl-C')
    .option('--port <port>', 'where to listen; 0: any free port', parsePort, defaultSandbox.port)
    .option(
      '--seed <number>',
      'what ids, texts and figures are made from',
      wholeNumber(0),
      defaultSandbox.seed,
    )
    .option(
      '--profiles <count>',
      'how many profiles, up to 1,000',
      wholeNumber(1, 1000),
      defaultSandbox.profileCount,
    )
    .option(
      '--posts <count>',
      'how many posts, over about two years, up to 200,000',
      wholeNumber(1, 200_000),
      defaultSandbox.postCount,
    )
    .option('--limit <requests>', 'requests in any 60 seconds', wholeNumber(1), 100)
    .option(
      '--cap <posts>',
      'cut answers of analytics off after so many posts, as a service may without saying so; default: never',
      wholeNumber(1, 100_000),
    )
    .addOption(
      new Option('--data <file>', 'serve a recorded workspace instead').conflicts([
        'profiles',
        'posts',
      ]),
    )
    .option(
      '--now <time>',
      'what its clock says first, ISO 8601; with the same seed everything is the same',
      parseTime,
    )
    .addOption(
      new Option('--faults <level>', 'how much goes wrong').choices(faultLevels).default('none'),
    )
    .option('--webhook-url <url>', 'where events are sent; default: nowhere')
    .option(
      '--webhook-token <token>',
      'sent as a bearer token; better in SANDBOX_WEBHOOK_TOKEN, as everybody on this machine can see flags',
    )
    .option('--webhook-header <name>', 'the header that carries the bare token instead')
    .option(
      '--webhook-secret <secret>',
      'whsec_…, signs each delivery (Standard Webhooks); better in SANDBOX_WEBHOOK_SECRET',
    )
    .option('--json', 'describe address, keys, profiles and ids to try as JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ postledger sandbox serve
  $ postledger sandbox serve --port 0 --seed 7 --profiles 3 --posts 500 --json
  $ postledger sandbox serve --faults mild
  $ SANDBOX_WEBHOOK_TOKEN=… postledger sandbox serve --webhook-url http://127.0.0.1:8787/webhooks
  $ postledger sandbox serve --data workspace.json`,
    )
    .action((options) =>
      invoke(async (context) => {
        const { clock, log, signal } = context;
        const webhook = readWebhookAddress(options, context.environment);
        const data = options.data === undefined ? null : await readRecorded(options.data);
        const server = await startSandbox({
          port: options.port,
          seed: options.seed,
          profiles: options.profiles,
          posts: options.posts,
          data,
          start: options.now,
          rateLimit: { requests: options.limit, perSeconds: 60 },
          cap: options.cap,
          faults: options.faults,
          webhook,
          clock,
          log,
        });
        printResult(context.output, options, server.describe(), announcement);
        await untilAborted(signal);
        await server.close();
        return exitCodes.done;
      }),
    );
};

async function readRecorded(file: string) {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new UsageError(
      `--data cannot be read: ${errorMessage(cause)}; name a recorded workspace (docs/sandbox.md)`,
      { cause },
    );
  });
  return parseRecordedWorkspace(text, file);
}

function announcement(description: SandboxDescription): string {
  const { base_url: url, workspace, keys, profiles, webhook_url: webhook } = description;
  return [
    `Serving the API at ${url}, workspace ${terminalLine(workspace.slug)}`,
    `Key: ${keys.valid}`,
    'Profiles:',
    ...profiles.map(({ id, name, kind }) => `  ${id}  ${terminalLine(name)} (${kind})`),
    `Events go ${webhook === null ? 'nowhere; --webhook-url says where' : `to ${webhook}`}`,
    `Ids to try, its clock, faults: ${new URL('/_sandbox', url).href}`,
    'Ctrl-C stops it; nothing is kept.',
    '',
  ].join('\n');
}
