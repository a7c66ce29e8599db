#!/usr/bin/env node
import { dirname, resolve } from 'node:path';
import { Command, CommanderError, Option } from '@commander-js/extra-typings';
import pc from 'picocolors';
import {
  importCommands,
  type CommandContext,
  type CommandTable,
  type Invoke,
  type Output,
  type Register,
} from './commands/context.ts';
import { loadConfig } from './config/load-config.ts';
import { systemClock } from './core/clock.ts';
import { exitCodes, PostledgerError, type ExitCode } from './core/errors.ts';
import { createLog, logLevels, type Log, type LogLevel } from './core/log.ts';
import { keepFilesPrivate } from './core/private-files.ts';
import { machineProblem } from './core/machine-problem.ts';
import { silentProgress, type Progress } from './core/progress.ts';
import { packageVersion } from './core/package-version.ts';
import { createLogProgress, createTerminalProgress } from './core/terminal-progress.ts';
import { stripTerminalControls } from './core/terminal-text.ts';
import { builtInReports, listReportNames, userReports } from './report/report-catalog.ts';

const commands: CommandTable = {
  init: async () => (await import('./commands/init.ts')).registerInit,
  check: async () => (await import('./commands/check.ts')).registerCheck,
  plan: async () => (await import('./commands/plan.ts')).registerPlan,
  run: async () => (await import('./commands/run.ts')).registerRun,
  load: async () => (await import('./commands/load.ts')).registerLoad,
  rebuild: async () => (await import('./commands/rebuild.ts')).registerRebuild,
  status: async () => (await import('./commands/status.ts')).registerStatus,
  archive: async () => (await import('./commands/verify.ts')).registerArchive,
  verify: async () => (await import('./commands/verify.ts')).registerVerify,
  report: async () => (await import('./commands/report.ts')).registerReport,
  sql: async () => (await import('./commands/sql.ts')).registerSql,
  posts: async () => (await import('./commands/posts.ts')).registerPosts,
  approvals: async () => (await import('./commands/approvals.ts')).registerApprovals,
  ideas: async () => (await import('./commands/ideas.ts')).registerIdeas,
  engagements: async () => (await import('./commands/engagements.ts')).registerEngagements,
  comments: async () => (await import('./commands/comments.ts')).registerComments,
  schedule: async () => (await import('./commands/schedule.ts')).registerSchedule,
  webhooks: async (args) => (await import('./commands/webhooks.ts')).importWebhooks(args),
  sandbox: async () => (await import('./commands/sandbox.ts')).registerSandbox,
  demo: async () => (await import('./commands/demo.ts')).registerDemo,
};

interface GlobalOptions {
  config: string;
  logLevel: LogLevel;
  logFormat: 'text' | 'json';
  quiet?: true;
  color: boolean;
}

keepFilesPrivate();

const environment = process.env;

function createProgram(registers: readonly Register[]): Command {
  const program = new Command('postledger')
    .description(
      'LinkedIn post analytics, kept in DuckDB and reported: EMV, engagement, video, removed posts.',
    )
    .version(packageVersion)
    .option('--config <file>', 'the jobs file', './jobs.yaml')
    .addOption(
      new Option('--log-level <level>', 'minimum log level').choices(logLevels).default('info'),
    )
    .addOption(
      new Option('--log-format <format>', 'log lines for people or machines')
        .choices(['text', 'json'] as const)
        .default('text'),
    )
    .option('--quiet', 'say nothing unless something fails')
    .option('--no-color', 'plain text')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showHelpAfterError('(add --help for usage and examples)')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(stripTerminalControls(text)) })
    .addHelpText('after', firstSteps);
  for (const register of registers) register(program, invokeWith(program));
  return program;
}

const firstSteps = `
First steps:
  $ postledger demo                  see what it makes, from a sandbox with made-up data
  $ postledger init                  write a jobs.yaml to start from
  $ postledger check --online        see whether keys and profiles are right
  $ postledger run                   read, load and report

Exit codes: 0 done, 1 failed, 2 wrong usage or config, 3 partly done, 4 in use by another process.`;

function hasColor(options: GlobalOptions, stream: NodeJS.WriteStream): boolean {
  return options.color && canShowColor(stream);
}

/** `isTTY` is undefined where it is not true. */
function isTerminal(stream: NodeJS.WriteStream): boolean {
  return (stream.isTTY as boolean | undefined) === true;
}

function canSteer(stream: NodeJS.WriteStream): boolean {
  return isTerminal(stream) && environment['TERM'] !== 'dumb';
}

function canShowColor(stream: NodeJS.WriteStream): boolean {
  return canSteer(stream) && !environment['NO_COLOR'];
}

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

function createContext(options: GlobalOptions, signal: AbortSignal): CommandContext {
  const configFile = resolve(options.config);
  const { log, progress } = createReporting(options);
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
    loadConfig: async () => {
      const config = await loadConfig({
        file: configFile,
        environment,
        now: systemClock.now(),
        knownReports: await listReportNames([builtInReports, userReports(dirname(configFile))]),
      });
      for (const warning of config.warnings) log.warn({}, warning);
      return config;
    },
  };
}

/** Bars on a terminal, with the log's lines above them; a line per stage elsewhere. */
function createReporting(options: GlobalOptions): { log: Log; progress: Progress } {
  const level = options.quiet ? 'error' : options.logLevel;
  const format = options.logFormat;
  const color = hasColor(options, process.stderr);
  if (options.quiet || !canSteer(process.stderr) || format === 'json') {
    const log = createLog({ level, format, color });
    return { log, progress: options.quiet ? silentProgress : createLogProgress(log, systemClock) };
  }
  const progress = createTerminalProgress({ stream: process.stderr, color });
  // also where the process ends at once: before an error is printed, and after a second Ctrl-C
  process.prependListener('uncaughtException', () => progress.close());
  process.on('exit', () => progress.close());
  return { log: createLog({ level, format, color, destination: progress.destination }), progress };
}

/** The first signal asks for a clean stop, the second one stops at once. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(exitCodes.failed);
      controller.abort();
    });
  }
  return controller.signal;
}

function invokeWith(program: Command): Invoke {
  return async (work) => {
    const options = program.opts() as GlobalOptions;
    const context = createContext(options, stopSignal());
    try {
      process.exitCode = await work(context);
    } finally {
      context.progress.close();
    }
  };
}

function reportError(error: unknown, isColorWanted: boolean): ExitCode {
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  const colors = pc.createColors(isColorWanted && canShowColor(process.stderr));
  if (error instanceof PostledgerError) {
    process.stderr.write(`${colors.red('error')}: ${stripTerminalControls(error.explain())}\n`);
    return error.exitCode;
  }
  const system = machineProblem(error);
  if (system !== null) {
    process.stderr.write(`${colors.red('error')}: ${stripTerminalControls(system)}\n`);
    return exitCodes.failed;
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `${colors.red('error')}: unexpected, this is a bug in postledger\n${stripTerminalControls(trace)}\n`,
  );
  return exitCodes.failed;
}

/** A reader that closes the pipe early, as `head` does, is no error. */
let isResultLost = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || isResultLost) return;
  isResultLost = true;
  const place = 'the result could not be written to standard output';
  const remedy = 'what was done stays done, look with a command that only reads';
  process.stderr.write(`error: ${place} (${error.message}); ${remedy}\n`);
});
process.on('exit', (code) => {
  if (isResultLost && code === exitCodes.done) process.exitCode = exitCodes.failed;
});

// what Node itself throws outside of any call, for example when it gets no memory for a body
process.on('uncaughtException', (error) => {
  process.exit(reportError(error, !process.argv.includes('--no-color')));
});

try {
  await createProgram(await importCommands(commands, process.argv.slice(2))).parseAsync();
} catch (error) {
  // also for errors before the options are read
  process.exitCode = reportError(error, !process.argv.includes('--no-color'));
}
