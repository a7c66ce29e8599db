#!/usr/bin/env node
import { Command, CommanderError, Option } from '@commander-js/extra-typings';
import pc from 'picocolors';
import type { Invoke, Register } from './commands/context.ts';
import type { GlobalOptions } from './commands/create-context.ts';
import { exitCodes, PostledgerError, type ExitCode } from './core/errors.ts';
import { keepFilesPrivate } from './core/private-files.ts';
import { machineProblem } from './core/machine-problem.ts';
import { packageVersion } from './core/package-version.ts';
import { canShowColor, stripTerminalControls } from './core/terminal-text.ts';

/** What the help says of each command, by its headings and in its order. */
const summaries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Daily:': {
    init: 'write a commented jobs.yaml and .env.example to start from',
    check: 'validate jobs.yaml and the reports; with --online also keys and profiles',
    plan: 'show what a run would request, and how long it would take; sends nothing',
    run: 'read what is due, load it, render the jobs’ reports',
    'catch-up': 'do what waits between scheduled times: read, load, render, send',
    status: 'show the warehouse, last runs, freshness and gaps per profile, and what is pending',
    runs: 'list runs, and show what one of them read, what failed and what came of it',
    schedule: 'run jobs on their cron expressions, in the foreground, until Ctrl-C',
  },
  'Reports:': {
    report: 'list reports, run them for any period, and check those of your own',
    explain: 'trace a figure of a report, or a post, to the records that it came from',
    sql: 'run one SELECT on the warehouse',
  },
  'Delivery:': {
    deliver: 'send the reports of jobs, and manage pending deliveries',
    comment: 'make the file for a comment on a client’s reports, and print its path',
    mail: 'test the SMTP server of jobs.yaml',
    notify: 'test notifications, and send those about stale data and alerts',
  },
  'Data:': {
    load: 'load data that is in the raw store but not in the warehouse; makes no API calls',
    serve: 'receive events, and show held mails to people with a link, until Ctrl-C',
    webhooks: 'receive, ingest, list and replay events that workspaces send',
    export: 'write all tables as Parquet files, into a folder or a bucket',
    erase: 'take a person or a profile out of raw data, warehouse, outbox and reports',
  },
  'Maintenance:': {
    verify: 'check every file of the raw store against its manifest and the warehouse',
    rebuild: 'load the whole raw store into an empty warehouse and swap it in; makes no API calls',
    maintain:
      'remove files of deliveries and reports that are older than their retention, and maintain a lake',
    warehouse: 'copy a warehouse file into the lake or back, and maintain the lake',
  },
  'The workspace’s other operations:': {
    posts: 'read or unschedule a post of a workspace',
    approvals: 'list or request approvals of a post',
    ideas: 'archive an idea of a workspace',
    engagements: 'delete an auto-engagement (like, comment or repost) of a post',
    comments: 'list the inline comments on a post',
  },
  'Try it:': {
    demo: 'start a sandbox, run a job on it and render all reports',
    sandbox: 'serve the API with made-up data, to try things out',
    completion: 'print a script that completes commands, options and values in bash, zsh or fish',
  },
};

/** Imports each command, or those commands of a group that the arguments name. The help leaves out what has no summary. */
const modules: Readonly<
  Record<string, (args: readonly string[]) => Promise<{ readonly register: Register }>>
> = {
  init: () => import('./commands/init.ts'),
  check: () => import('./commands/check.ts'),
  plan: () => import('./commands/plan.ts'),
  run: () => import('./commands/run.ts'),
  'catch-up': () => import('./commands/catch-up.ts'),
  status: () => import('./commands/status.ts'),
  runs: () => import('./commands/runs.ts'),
  schedule: () => import('./commands/schedule.ts'),
  report: async (args) => (await import('./commands/report.ts')).importReport(args),
  explain: () => import('./commands/explain.ts'),
  sql: () => import('./commands/sql.ts'),
  deliver: () => import('./commands/deliver.ts'),
  comment: () => import('./commands/comment.ts'),
  mail: () => import('./commands/mail.ts'),
  notify: () => import('./commands/notify.ts'),
  load: () => import('./commands/load.ts'),
  serve: async () => ({ register: (await import('./commands/webhooks.ts')).registerServe }),
  webhooks: async (args) => (await import('./commands/webhooks.ts')).importWebhooks(args),
  export: () => import('./commands/export.ts'),
  erase: () => import('./commands/erase.ts'),
  verify: () => import('./commands/verify.ts'),
  archive: async () => (await import('./commands/verify.ts')).archive,
  rebuild: () => import('./commands/rebuild.ts'),
  maintain: () => import('./commands/maintain.ts'),
  warehouse: () => import('./commands/warehouse.ts'),
  posts: async () => (await import('./commands/operations.ts')).posts,
  approvals: async () => (await import('./commands/operations.ts')).approvals,
  ideas: async () => (await import('./commands/operations.ts')).ideas,
  engagements: async () => (await import('./commands/operations.ts')).engagements,
  comments: async () => (await import('./commands/operations.ts')).comments,
  demo: () => import('./commands/demo.ts'),
  sandbox: () => import('./commands/sandbox.ts'),
  completion: () => import('./commands/completion.ts'),
  complete: async () => (await import('./commands/completion.ts')).complete,
};

keepFilesPrivate();
// DuckDB's allocator reads this when DuckDB is first needed. On its own it keeps what was freed for a second, in two arenas:
// a fourth of the memory of a large report.
process.env['DUCKDB_JE_MALLOC_CONF'] ??= 'narenas:1,dirty_decay_ms:100,muzzy_decay_ms:0';

const logLevels = ['error', 'warn', 'info', 'debug'] as const;

/** Creates the program and imports only the commands that `args` are about, to save time and memory. */
async function createProgram(args: readonly string[]): Promise<Command> {
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
    .option('--quiet', 'print nothing unless something fails')
    .option('--no-color', 'plain text')
    .configureHelp({
      showGlobalOptions: true,
      sortSubcommands: false,
      subcommandTerm: (command) => command.name(),
    })
    .showHelpAfterError('(add --help for usage and examples)')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(stripTerminalControls(text)) })
    .addHelpText('after', firstSteps);
  const invoke = invokeWith(program);
  const [first = ''] = program.parseOptions([...args]).operands;
  // these two are about commands that stand behind them
  const named = first === 'help' || first === 'complete' ? args : [first];
  for (const [heading, commands] of Object.entries(summaries))
    for (const [name, summary] of Object.entries(commands)) {
      if (!named.includes(name)) program.command(name);
      else (await modules[name]?.(args))?.register(program, invoke);
      program.commands.at(-1)?.description(summary).helpGroup(heading);
    }
  for (const name of ['archive', 'complete'])
    if (named.includes(name)) (await modules[name]?.(args))?.register(program, invoke);
  return program;
}

const firstSteps = `
First steps:
  $ postledger demo                  see all reports, from a sandbox with made-up data
  $ postledger init                  write a jobs.yaml to start from
  $ postledger check --online        check the config, the keys and the profiles
  $ postledger run                   read, load and report

Exit codes: 0 done, 1 failed, 2 wrong usage or config, 3 partly done, 4 in use by another process.`;

/** Returns a signal that SIGINT or SIGTERM aborts for a clean stop. A second one ends the process at once. */
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
    const { createContext } = await import('./commands/create-context.ts');
    const context = await createContext(options, stopSignal());
    try {
      process.exitCode = await work(context);
    } finally {
      context.progress.close();
    }
  };
}

function printError(message: string): void {
  // Errors can also occur before the options are parsed.
  const isColorWanted = !process.argv.includes('--no-color') && canShowColor(process.stderr);
  const label = pc.createColors(isColorWanted).red('error');
  process.stderr.write(`${label}: ${stripTerminalControls(message)}\n`);
}

/** Prints an error, unless commander has already printed it. @returns the exit code */
function reportError(error: unknown): ExitCode {
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (error instanceof PostledgerError) {
    printError(error.explain());
    return error.exitCode;
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  printError(machineProblem(error) ?? `unexpected, this is a bug in postledger\n${trace}`);
  return exitCodes.failed;
}

let isResultLost = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader may close the pipe early, as `head` does.
  if (error.code === 'EPIPE' || isResultLost) return;
  isResultLost = true;
  printError(
    `the result could not be written to standard output (${error.message}); the command itself has finished, check its effect with a command that only reads`,
  );
});
process.on('exit', (code) => {
  if (isResultLost && code === exitCodes.done) process.exitCode = exitCodes.failed;
});

// Node can throw outside of any call, for example when it cannot allocate a buffer.
process.on('uncaughtException', (error) => {
  process.exit(reportError(error));
});

try {
  await (await createProgram(process.argv.slice(2))).parseAsync();
} catch (error) {
  process.exitCode = reportError(error);
}
