import type { Command } from '@commander-js/extra-typings';
import type { Config, WebhooksConfig } from '../config/config.ts';
import { defaultWebhooks } from '../config/default-webhooks.ts';
import { exitCodes } from '../core/errors.ts';
import { startReceiver, type Receiver } from '../inbox/receiver/receiver.ts';
import type { CommandContext, Invoke } from './context.ts';
import { parsePort, parseSeconds } from './option-values.ts';
import { untilAborted } from './until-aborted.ts';

/** Adds `webhooks serve` to the group of webhook commands. */
export function registerServe(webhooks: Command, invoke: Invoke): void {
  webhooks
    .command('serve')
    .description('receive events over HTTP and keep them for the next load, until Ctrl-C')
    .option('--host <address>', 'where to listen; default: webhooks.host in jobs.yaml')
    .option('--port <port>', 'its port; 0: any free port', parsePort)
    .option('--wait <seconds>', 'wait so long for another receiver to end', parseSeconds, 0)
    .option('--json', 'print the address as JSON once it listens')
    .addHelpText(
      'after',
      `
Senders POST events to /webhooks; GET /health tells whether events can be stored. How senders prove
themselves stands in jobs.yaml under webhooks: token, signing_secret. The next load or run takes events in.

Examples:
  $ postledger webhooks serve
  $ postledger webhooks serve --port 0 --json
  $ postledger webhooks serve --host 0.0.0.0
  $ curl -H 'Authorization: Bearer …' --json @event.json http://127.0.0.1:8787/webhooks`,
    )
    .action((options) =>
      invoke(async (context) => {
        const { clock, log, signal } = context;
        const config = await context.loadConfig();
        const settings = { ...webhooksOf(config, context), ...definedOf(options) };
        const { dataDir } = config;
        const parts = { webhooks: settings, dataDir, clock, log, signal };
        const receiver = await startReceiver({ ...parts, waitMs: options.wait * 1000 });
        announce(context, receiver, dataDir, options.json === true);
        await untilAborted(signal);
        log.info({}, 'stopping: requests in flight are answered');
        await receiver.close();
        return exitCodes.done;
      }),
    );
}

function webhooksOf(config: Config, { log }: CommandContext): WebhooksConfig {
  if (config.webhooks) return config.webhooks;
  log.warn({}, 'jobs.yaml has no webhooks section: the defaults hold, and nothing authenticates');
  return defaultWebhooks;
}

function definedOf({ host, port }: { host?: string | undefined; port?: number | undefined }) {
  return { ...(host !== undefined && { host }), ...(port !== undefined && { port }) };
}

function announce(
  { log, output }: CommandContext,
  { url, metricsUrl, authentication }: Receiver,
  dataDir: string,
  asJson: boolean,
): void {
  if (asJson) {
    const address = { url, metrics_url: metricsUrl, pid: process.pid };
    output.write(`${JSON.stringify(address)}\n`);
  }
  const metrics = metricsUrl === null ? {} : { metrics: metricsUrl };
  log.info({ authentication, data_dir: dataDir, ...metrics }, `receiving events at ${url}`);
}
