import { Option } from '@commander-js/extra-typings';
import { exitCodes, UsageError } from '../core/errors.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { Secret } from '../config/secret.ts';
import { faultLevels } from '../sandbox/faults/fault-kinds.ts';
import { defaultSandbox } from '../sandbox/identity.ts';
import { startSandbox, type SandboxDescription, type SandboxOptions } from '../sandbox/sandbox.ts';
import { defaultWebhooks } from '../config/services-schema.ts';
import { secretProblems } from '../webhooks/authentication.ts';
import { printResult, untilAborted, type Register } from './context.ts';
import { parsePort, parseTime, wholeNumber } from './option-values.ts';

export const register: Register = (program, invoke) => {
  const sandbox = program.command('sandbox');
  sandbox
    .command('serve')
    .description('serve the API on loopback, with made-up data, until Ctrl-C')
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
    .option('--json', 'describe address, keys, profiles and ids to try as JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ postledger sandbox serve
  $ postledger sandbox serve --port 0 --seed 7 --profiles 3 --posts 500 --json
  $ postledger sandbox serve --faults mild
  $ SANDBOX_WEBHOOK_TOKEN=… postledger sandbox serve --webhook-url http://127.0.0.1:8787/webhooks`,
    )
    .action((options) =>
      invoke(async (context) => {
        const { clock, log, signal } = context;
        const webhook = readWebhookAddress(options, context.environment);
        const server = await startSandbox({
          port: options.port,
          seed: options.seed,
          profiles: options.profiles,
          posts: options.posts,
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

interface WebhookFlags {
  readonly webhookUrl?: string | undefined;
  readonly webhookToken?: string | undefined;
}

/**
 * Reads the address to which the sandbox sends events from the flags. The environment gives the token if no flag does. It
 * is checked here and not by commander, which repeats a wrong value in its message.
 * @returns null when there is no URL; the token in the environment may be there for another time
 * @throws UsageError which does not show the token
 */
function readWebhookAddress(
  { webhookUrl, webhookToken }: WebhookFlags,
  environment: NodeJS.ProcessEnv,
): NonNullable<SandboxOptions['webhook']> | null {
  if (webhookUrl === undefined) {
    if (webhookToken === undefined) return null;
    throw new UsageError('--webhook-token needs --webhook-url: without it no event is sent');
  }
  const url = URL.canParse(webhookUrl) ? new URL(webhookUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') {
    throw new UsageError(
      '--webhook-url must be an http or https URL without a password, such as http://127.0.0.1:8787/webhooks; a token goes into SANDBOX_WEBHOOK_TOKEN',
    );
  }
  const given = webhookToken ?? environment['SANDBOX_WEBHOOK_TOKEN'];
  const secret = new Secret('SANDBOX_WEBHOOK_TOKEN', '--webhook-token', given);
  if (!secret.isSet) return { url, token: null };
  const [problem] = secretProblems({ ...defaultWebhooks, tokens: [secret] });
  if (problem) throw new UsageError(problem.message);
  return { url, token: secret.reveal() };
}

function announcement(description: SandboxDescription): string {
  const { base_url: url, workspace, keys, profiles, webhook_url: webhook } = description;
  return [
    `Serving the API at ${url}, workspace ${terminalLine(workspace.slug)}`,
    `Key: ${keys.valid}`,
    'Profiles:',
    ...profiles.map(({ id, name, kind }) => `  ${id}  ${terminalLine(name)} (${kind})`),
    `Events go ${webhook === null ? 'nowhere; --webhook-url says where' : `to ${webhook}`}`,
    `Ids to try, its clock: ${new URL('/_sandbox', url).href}`,
    'Ctrl-C stops it; nothing is kept.',
    '',
  ].join('\n');
}
