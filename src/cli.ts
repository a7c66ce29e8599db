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

interface CommandEntry {
  readonly summary: string;
  readonly isHidden?: boolean;
  /** Imports the command, or those commands of a group that `args` name. */
  readonly load: (args: readonly string[]) => Promise<Register>;
}

/** The commands by the headings and in the order of the help. */
const commandGroups: Readonly<Record<string, Readonly<Record<string, CommandEntry>>>> = {
  'Daily:': {
    init: {
      summary: 'write a commented jobs.yaml and .env.example to start from',
      load: async () => (await import('./commands/init.ts')).registerInit,
    },
    check: {
      summary: 'validate jobs.yaml and the reports; with --online also keys and profiles',
      load: async () => (await import('./commands/check.ts')).registerCheck,
    },
    plan: {
      summary: 'show what a run would request, and how long it would take; sends nothing',
      load: async () => (await import('./commands/plan.ts')).registerPlan,
    },
    run: {
      summary: 'read what is due, load it, render the jobs’ reports',
      load: async () => (await import('./commands/run.ts')).registerRun,
    },
    'catch-up': {
      summary: 'do what waits between scheduled times: read, load, render, send',
      load: async () => (await import('./commands/catch-up.ts')).registerCatchUp,
    },
    status: {
      summary: 'show the warehouse, last runs, freshness and gaps per profile, and what is pending',
      load: async () => (await import('./commands/status.ts')).registerStatus,
    },
    runs: {
      summary: 'list runs, and show what one of them read, what failed and what came of it',
      load: async () => (await import('./commands/runs.ts')).registerRuns,
    },
    schedule: {
      summary: 'run jobs on their cron expressions, in the foreground, until Ctrl-C',
      load: async () => (await import('./commands/schedule.ts')).registerSchedule,
    },
  },
  'Reports:': {
    report: {
      summary: 'list reports, run them for any period, and check those of your own',
      load: async (args) => (await import('./commands/report.ts')).importReport(args),
    },
    explain: {
      summary: 'trace a figure of a report, or a post, to the records that it came from',
      load: async () => (await import('./commands/explain.ts')).registerExplain,
    },
    sql: {
      summary: 'run one SELECT on the warehouse',
      load: async () => (await import('./commands/sql.ts')).registerSql,
    },
  },
  'Delivery:': {
    deliver: {
      summary: 'send the reports of jobs, and manage pending deliveries',
      load: async () => (await import('./commands/deliver.ts')).registerDeliver,
    },
    comment: {
      summary: 'make the file for a comment on a client’s reports, and print its path',
      load: async () => (await import('./commands/comment.ts')).registerComment,
    },
    mail: {
      summary: 'test the SMTP server of jobs.yaml',
      load: async () => (await import('./commands/mail.ts')).registerMail,
    },
    notify: {
      summary: 'test notifications, and send those about stale data and alerts',
      load: async () => (await import('./commands/notify.ts')).registerNotify,
    },
  },
  'Data:': {
    load: {
      summary: 'load data that is in the raw store but not in the warehouse; makes no API calls',
      load: async () => (await import('./commands/load.ts')).registerLoad,
    },
    webhooks: {
      summary: 'receive, ingest, list and replay events that workspaces send',
      load: async (args) => (await import('./commands/webhooks.ts')).importWebhooks(args),
    },
    export: {
      summary: 'write all tables as Parquet files, into a folder or a bucket',
      load: async () => (await import('./commands/export.ts')).registerExport,
    },
    erase: {
      summary: 'take a person or a profile out of raw data, warehouse, outbox and reports',
      load: async () => (await import('./commands/erase.ts')).registerErase,
    },
  },
  'Maintenance:': {
    verify: {
      summary: 'check every file of the raw store against its manifest and the warehouse',
      load: async () => (await import('./commands/verify.ts')).registerVerify,
    },
    archive: {
      summary: 'the former name of verify',
      isHidden: true,
      load: async () => (await import('./commands/verify.ts')).registerArchive,
    },
    rebuild: {
      summary:
        'load the whole raw store into an empty warehouse and swap it in; makes no API calls',
      load: async () => (await import('./commands/rebuild.ts')).registerRebuild,
    },
    maintain: {
      summary:
        'remove raw data, events, deliveries and reports that are older than their retention',
      load: async () => (await import('./commands/maintain.ts')).registerMaintain,
    },
    warehouse: {
      summary: 'copy a warehouse file into the lake or back, and maintain the lake',
      load: async () => (await import('./commands/warehouse.ts')).registerWarehouse,
    },
  },
  'The workspace’s other operations:': {
    posts: {
      summary: 'read or unschedule a post of a workspace',
      load: async () => (await import('./commands/operations.ts')).registerPosts,
    },
    approvals: {
      summary: 'list or request approvals of a post',
      load: async () => (await import('./commands/operations.ts')).registerApprovals,
    },
    ideas: {
      summary: 'archive an idea of a workspace',
      load: async () => (await import('./commands/operations.ts')).registerIdeas,
    },
    engagements: {
      summary: 'delete an auto-engagement (like, comment or repost) of a post',
      load: async () => (await import('./commands/operations.ts')).registerEngagements,
    },
    comments: {
      summary: 'list the inline comments on a post',
      load: async () => (await import('./commands/operations.ts')).registerComments,
    },
  },
  'Try it:': {
    demo: {
      summary: 'start a sandbox, run a job on it and render all reports',
      load: async () => (await import('./commands/demo.ts')).registerDemo,
    },
    sandbox: {
      summary: 'serve the API with made-up data, to try things out',
      load: async () => (await import('./commands/sandbox.ts')).registerSandbox,
    },
    completion: {
      summary: 'print a script that completes commands, options and values in bash, zsh or fish',
      load: async () => (await import('./commands/completion.ts')).registerCompletion,
    },
    complete: {
      summary: 'list the words that can be typed next, for the scripts of completion',
      isHidden: true,
      load: async () => (await import('./commands/completion.ts')).registerComplete,
    },
  },
};

keepFilesPrivate();

const logLevels = ['error', 'warn', 'info', 'debug'] as const;

/** Creates the program and imports only the commands that `args` name, to save time and memory. */
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
  for (const [heading, commands] of Object.entries(commandGroups)) {
    for (const [name, { summary, isHidden = false, load }] of Object.entries(commands)) {
      if (args.includes(name)) (await load(args))(program, invokeWith(program));
      else program.command(name, { hidden: isHidden });
      program.commands.at(-1)?.description(summary).helpGroup(heading);
    }
  }
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
