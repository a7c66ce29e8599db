import type { Config, WebhooksConfig } from '../config/config.ts';
import { defaultWebhooks } from '../config/services-schema.ts';
import { exitCodes } from '../core/errors.ts';
import { untilAborted, type CommandContext, type Register } from './context.ts';
import { parsePort } from './option-values.ts';

/** The group. The receiver runs for months, so `serve` is imported without the other commands and DuckDB. */
export async function importWebhooks(
  args: readonly string[],
): Promise<{ readonly register: Register }> {
  const registers = args.includes('serve') ? [registerServe] : await importAll();
  return {
    register: (program, invoke) => {
      const webhooks = program.command('webhooks');
      for (const register of registers) register(webhooks, invoke);
    },
  };
}

async function importAll(): Promise<Register[]> {
  const { registerIngest } = await import('./webhooks-ingest.ts');
  const { registerDiscard, registerList, registerReplay } = await import('./webhooks-list.ts');
  return [registerServe, registerIngest, registerDiscard, registerList, registerReplay];
}

const registerServe: Register = (webhooks, invoke) => {
  webhooks
    .command('serve')
    .description('receive events over HTTP and store them for the next load, until Ctrl-C')
    .option('--host <address>', 'where to listen; default: webhooks.host in jobs.yaml')
    .option('--port <port>', 'its port; 0: any free port', parsePort)
    .option('--json', 'print the address as JSON once it listens')
    .addHelpText(
      'after',
      `
Senders POST events to /webhooks; GET /health says whether events can be stored. jobs.yaml says under
webhooks how senders authenticate: token, signing_secret. The next load or run applies the events.

Examples:
  $ postledger webhooks serve
  $ postledger webhooks serve --port 0 --json
  $ postledger webhooks serve --host 0.0.0.0
  $ curl -H 'Authorization: Bearer …' --json @event.json http://127.0.0.1:8787/webhooks`,
    )
    .action(({ host, port, json }) =>
      invoke(async (context) => {
        const { clock, log, signal, output } = context;
        const config = await context.loadConfig({ mayBeErasing: true });
        const configured = webhooksOf(config, context);
        const webhooks = {
          ...configured,
          host: host ?? configured.host,
          port: port ?? configured.port,
        };
        const { dataDir } = config;
        const { startReceiver } = await import('../webhooks/receiver.ts');
        const { openEventArchive } = await import('../load/raw-bucket.ts');
        const archive = await openEventArchive(config);
        const receiver = await startReceiver({ webhooks, dataDir, archive, clock, log });
        const { url, metricsUrl, authentication } = receiver;
        if (json) {
          output.write(`${JSON.stringify({ url, metrics_url: metricsUrl, pid: process.pid })}\n`);
        }
        const metrics = metricsUrl === null ? {} : { metrics: metricsUrl };
        log.info({ authentication, data_dir: dataDir, ...metrics }, `receiving events at ${url}`);
        await untilAborted(signal);
        log.info({}, 'stopping: requests in flight are answered');
        await receiver.close();
        return exitCodes.done;
      }),
    );
};

function webhooksOf(config: Config, { log }: CommandContext): WebhooksConfig {
  if (config.webhooks) return config.webhooks;
  log.warn({}, 'jobs.yaml has no webhooks section: the defaults hold, and nothing authenticates');
  return defaultWebhooks;
}
