import type { Command } from '@commander-js/extra-typings';
import { hintAmong } from '../core/nearest.ts';
import { InterruptedError, UsageError, exitCodes } from '../core/errors.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { type Limits } from '../warehouse/limits.ts';
import {
  filesOf,
  previewReport,
  type PreviewedReport,
  type PreviewRequest,
} from '../preview/previewed-report.ts';
import { InputWatch } from '../preview/input-watch.ts';
import {
  startPreviewServer,
  type PreviewServer,
  type Rendering,
} from '../preview/preview-server.ts';
import {
  builtInReports,
  listReportNames,
  refuseTakenNames,
  userReports,
} from '../report/report-catalog.ts';
import type { CommandContext, Invoke } from './context.ts';
import { addLimits, limitsOf } from './limit-flags.ts';
import { parsePort } from './option-values.ts';
import { addReportFilters, filtersOf } from './report-filters.ts';

export function addPreview(report: Command, invoke: Invoke): void {
  const command = report
    .command('preview')
    .description(
      'show a report in the browser, and render it again whenever its files are saved, until Ctrl-C',
    )
    .argument('<name>', 'a report, see: postledger report list');
  addReportFilters(command);
  addLimits(command, 'the report');
  command
    .option('--port <port>', 'where to listen on this machine; 0: any free port', parsePort, 0)
    .addHelpText(
      'after',
      `
Only this machine can reach it. It renders again when the report's files, jobs.yaml, the logo or the warehouse
change, and shows mistakes in the page and here, with file and line; the last good page stays.

Examples:
  $ postledger report preview hiring
  $ postledger report preview hiring --from 2026-01-01 --to 2026-03-31 --set price=4 --port 4110`,
    )
    .action((name, options) =>
      invoke(async (context) => {
        const { configFile, loadConfig, clock } = context;
        const config = await loadConfig();
        await refuseUnknown(name, config.folder);
        const { parameters, set, client } = filtersOf(command, config, clock.now());
        const request = {
          name,
          parameters,
          set,
          client: client?.key ?? null,
          configFile,
          loadConfig,
        };
        await preview(request, options.port, limitsOf(command), context);
        return exitCodes.done;
      }),
    );
}

/** A report that is broken can be previewed, too. @throws UsageError, ReportDefinitionError */
async function refuseUnknown(name: string, folder: string): Promise<void> {
  await refuseTakenNames(folder);
  const known = await listReportNames([builtInReports, userReports(folder)]);
  if (known.includes(name)) return;
  const hint = hintAmong(name, known);
  throw new UsageError(
    `there is no report ${JSON.stringify(name)}; ${hint}; \`postledger report new\` writes one`,
  );
}

/** @throws UsageError for flags that cannot be met, before anything is served */
async function preview(
  request: PreviewRequest,
  port: number,
  limits: Limits,
  context: CommandContext,
): Promise<void> {
  const { clock, output } = context;
  const ended = new AbortController();
  const signal = AbortSignal.any([context.signal, ended.signal]);
  const watch = new InputWatch(clock, signal);
  watch.follow(await filesOf(request));
  let server: PreviewServer | null = null;
  try {
    for (;;) {
      const saved = new AbortController();
      const changed = watch.changed().then(() => saved.abort());
      // it is awaited below, unless what comes before it fails
      changed.catch(() => undefined);
      const tools = { clock, limits };
      const startedMs = clock.monotonicMs();
      const rendering = await untilSaved(
        previewReport(request, { ...tools, signal: AbortSignal.any([signal, saved.signal]) }),
        signal,
      );
      if (rendering !== null) {
        if (server === null && rendering.error instanceof UsageError) throw rendering.error;
        if (server === null) {
          server = await startPreviewServer(request.name, port, context.log);
          output.write(`${server.url}\n`);
        }
        server.show(rendering, clock.now());
        logRendering(rendering, Math.round(clock.monotonicMs() - startedMs), context);
        watch.follow(rendering.inputs);
      }
      await changed;
    }
  } catch (failure) {
    if (!(failure instanceof InterruptedError) || server === null) throw failure;
  } finally {
    ended.abort();
    await server?.close();
  }
}

/**
 * Returns null when a save broke it off: a page that is out of date before it is made, as after a query that runs away,
 * gives way to the next one. @throws InterruptedError when the signal did
 */
async function untilSaved(
  rendering: Promise<PreviewedReport>,
  signal: AbortSignal,
): Promise<PreviewedReport | null> {
  try {
    return await rendering;
  } catch (error) {
    if (error instanceof InterruptedError && !signal.aborted) return null;
    throw error;
  }
}

/** One line for a page, one for each mistake. */
function logRendering({ html, faults }: Rendering, ms: number, { log }: CommandContext): void {
  if (html !== null) log.info({ ms }, `rendered, ${Math.ceil(html.length / 1000)} kB`);
  for (const { location, message } of faults)
    log.error({}, terminalLine(location === null ? message : `${location}: ${message}`));
}
