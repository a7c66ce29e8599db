import { dirname, resolve } from 'node:path';
import { systemClock } from '../core/clock.ts';
import { createLog, type Log, type LogLevel } from '../core/log.ts';
import { silentProgress, type Progress } from '../core/progress.ts';
import { canShowColor, supportsControls, isTerminal } from '../core/terminal-text.ts';
import {
  builtInReports,
  listReportNames,
  readSectionNames,
  userReports,
} from '../report/report-catalog.ts';
import { createLogProgress } from '../core/work-meter.ts';
import type { CommandContext, Output } from './context.ts';

export interface GlobalOptions {
  readonly config: string;
  readonly logLevel: LogLevel;
  readonly logFormat: 'text' | 'json';
  readonly quiet?: true;
  readonly color: boolean;
}

const environment = process.env;

/** Results go below the bars, which end before the first of them. */
function createOutput(options: GlobalOptions, progress: Progress): Output {
  return {
    write: (data) => {
      progress.close();
      process.stdout.write(data);
    },
    isTerminal: isTerminal(process.stdout),
    width: process.stdout.isTTY ? process.stdout.columns : null,
    hasColor: hasColor(options, process.stdout),
  };
}

export async function createContext(
  options: GlobalOptions,
  signal: AbortSignal,
): Promise<CommandContext> {
  const configFile = resolve(options.config);
  const { log, progress } = await createReporting(options);
  return {
    clock: systemClock,
    log,
    progress,
    signal,
    environment,
    configFile,
    isQuiet: options.quiet === true,
    output: createOutput(options, progress),
    // touching standard input opens it, so only who asks does
    get dialogue() {
      return { input: process.stdin, output: process.stderr };
    },
    loadConfig: async ({ mayBeErasing = false } = {}) => {
      const { loadConfig } = await import('../config/load-config.ts');
      const folders = [builtInReports, userReports(dirname(configFile))];
      const config = await loadConfig({
        file: configFile,
        environment,
        now: systemClock.now(),
        knownReports: await listReportNames(folders),
        readSections: () => readSectionNames(folders),
      });
      const { requireErased } = await import('../store/erasure.ts');
      if (!mayBeErasing) await requireErased(config.dataDir);
      for (const warning of config.warnings) log.warn({}, warning);
      return config;
    },
  };
}

/** Bars on a terminal, with the log's lines above them; a line per stage elsewhere. */
async function createReporting(options: GlobalOptions): Promise<{ log: Log; progress: Progress }> {
  const level = options.quiet ? 'error' : options.logLevel;
  const format = options.logFormat;
  const color = hasColor(options, process.stderr);
  if (options.quiet || !supportsControls(process.stderr) || format === 'json') {
    const log = createLog({ level, format, color });
    return { log, progress: options.quiet ? silentProgress : createLogProgress(log, systemClock) };
  }
  const { createTerminalProgress } = await import('../core/terminal-progress.ts');
  const progress = createTerminalProgress({ stream: process.stderr, color });
  // bars also end before an uncaught error is printed, and after a second Ctrl-C
  process.prependListener('uncaughtException', () => progress.close());
  process.on('exit', () => progress.close());
  return { log: createLog({ level, format, color, destination: progress.destination }), progress };
}

function hasColor(options: GlobalOptions, stream: NodeJS.WriteStream): boolean {
  return options.color && canShowColor(stream);
}
