import type { Context } from 'hono';
import type { Config, WebhooksConfig } from '../config/config.ts';
import { defaultWebhooks } from '../config/services-schema.ts';
import { exitCodes } from '../core/errors.ts';
import { silentProgress } from '../core/progress.ts';
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

/** The one server for what comes from outside; `webhooks serve` is its older name. */
export const registerServe: Register = (group, invoke) => {
  group
    .command('serve')
    .description(
      'receive events over HTTP, and show held mails to people with a link, until Ctrl-C',
    )
    .option('--host <address>', 'where to listen; default: webhooks.host in jobs.yaml')
    .option('--port <port>', 'its port; 0: any free port', parsePort)
    .option('--json', 'print the address as JSON once it listens')
    .addHelpText(
      'after',
      `
Senders POST events to /webhooks; GET /health says whether events can be stored. jobs.yaml says under
webhooks how senders authenticate: token, signing_secret. The next load or run applies the events.
With review, people who have a link look at held mails below /review, comment on them and send them;
/webhooks then needs a token or a signing secret.

Examples:
  $ postledger serve
  $ postledger serve --port 0 --json
  $ postledger serve --host 0.0.0.0
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
        const pages = config.review === null ? null : await createPages(webhooks, context);
        const review = pages && { path: pages.path, app: pages.app };
        const parts = { webhooks, dataDir, archive, clock, log, ...(review && { review }) };
        const receiver = await startReceiver(parts);
        const { url, metricsUrl, authentication } = receiver;
        if (json) {
          output.write(`${JSON.stringify({ url, metrics_url: metricsUrl, pid: process.pid })}\n`);
        }
        const metrics = metricsUrl === null ? {} : { metrics: metricsUrl };
        const served = review === null ? 'receiving events' : 'serving';
        log.info({ authentication, data_dir: dataDir, ...metrics }, `${served} at ${url}`);
        await untilAborted(signal);
        log.info({}, 'stopping: requests in flight are answered');
        await receiver.close();
        await pages?.close();
        return exitCodes.done;
      }),
    );
};

/** The pages of held mails. They read jobs.yaml again whenever it has changed. */
async function createPages(
  { trustProxy }: WebhooksConfig,
  { clock, log, signal, loadConfig, configFile }: CommandContext,
) {
  const { HeldMailPages } = await import('../review/held-mail-pages.ts');
  const { createReviewApp } = await import('../review/review-app.ts');
  const { reviewPath: path } = await import('../deliver/review-link.ts');
  const { senderAddress } = await import('../webhooks/receiver-app.ts');
  const pages = new HeldMailPages({
    clock,
    log,
    signal,
    progress: silentProgress,
    loadConfig,
    configFile,
  });
  const senderOf = (context: Context) => senderAddress(context, trustProxy);
  const app = createReviewApp({ pages, clock, senderOf });
  return { path, app, close: () => pages.close() };
}

function webhooksOf(config: Config, { log }: CommandContext): WebhooksConfig {
  if (config.webhooks) return config.webhooks;
  if (config.review) return defaultWebhooks;
  log.warn({}, 'jobs.yaml has no webhooks section: the defaults hold, and nothing authenticates');
  return defaultWebhooks;
}
