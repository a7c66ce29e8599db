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
  /** Imports the command, or of a group the commands that `args` name. */
  readonly load: (args: readonly string[]) => Promise<Register>;
}

/** In the order of the help. */
const commands: Readonly<Record<string, CommandEntry>> = {
  init: {
    summary: 'write a commented jobs.yaml and .env.example to start from',
    load: async () => (await import('./commands/init.ts')).registerInit,
  },
  check: {
    summary: 'validate jobs.yaml and the reports; with --online also keys and profiles',
    load: async () => (await import('./commands/check.ts')).registerCheck,
  },
  plan: {
    summary: 'what a run would ask for, and how long the limit makes it take; sends nothing',
    load: async () => (await import('./commands/plan.ts')).registerPlan,
  },
  run: {
    summary: 'read what is due, load it, render the jobs’ reports',
    load: async () => (await import('./commands/run.ts')).registerRun,
  },
  load: {
    summary: 'load what the raw store holds and the warehouse does not; makes no API calls',
    load: async () => (await import('./commands/load.ts')).registerLoad,
  },
  rebuild: {
    summary: 'load the whole raw store into an empty warehouse and swap it in; makes no API calls',
    load: async () => (await import('./commands/rebuild.ts')).registerRebuild,
  },
  warehouse: {
    summary: 'copy a warehouse file into the lake or back, and keep the lake in shape',
    load: async () => (await import('./commands/warehouse.ts')).registerWarehouse,
  },
  status: {
    summary: 'the warehouse and its disk, last runs, freshness and gaps per profile, what waits',
    load: async () => (await import('./commands/status.ts')).registerStatus,
  },
  archive: {
    summary: 'verify, as `archive verify` was called before',
    isHidden: true,
    load: async () => (await import('./commands/verify.ts')).registerArchive,
  },
  verify: {
    summary: 'check every file of the raw store against its manifest and the warehouse',
    load: async () => (await import('./commands/verify.ts')).registerVerify,
  },
  report: {
    summary: 'list reports, run them for any period, and check those of your own',
    load: async (args) => (await import('./commands/report.ts')).importReport(args),
  },
  deliver: {
    summary: 'send the reports of jobs, and manage the deliveries that wait',
    load: async () => (await import('./commands/deliver.ts')).registerDeliver,
  },
  mail: {
    summary: 'try the SMTP server of jobs.yaml',
    load: async () => (await import('./commands/mail.ts')).registerMail,
  },
  notify: {
    summary: 'test notifications, and send those about stale data and alerts',
    load: async () => (await import('./commands/notify.ts')).registerNotify,
  },
  sql: {
    summary: 'run one SELECT on the warehouse',
    load: async () => (await import('./commands/sql.ts')).registerSql,
  },
  posts: {
    summary: 'posts of a workspace: read or unschedule one',
    load: async () => (await import('./commands/posts.ts')).registerPosts,
  },
  approvals: {
    summary: 'approvals of a post: list them, or ask for some',
    load: async () => (await import('./commands/approvals.ts')).registerApprovals,
  },
  ideas: {
    summary: 'ideas of a workspace: archive one',
    load: async () => (await import('./commands/ideas.ts')).registerIdeas,
  },
  engagements: {
    summary: 'auto-engagements (likes, comments, reposts) of posts: delete one',
    load: async () => (await import('./commands/engagements.ts')).registerEngagements,
  },
  comments: {
    summary: 'inline comments on a post: list them',
    load: async () => (await import('./commands/comments.ts')).registerComments,
  },
  schedule: {
    summary: 'run jobs on their cron expressions, in the foreground, until Ctrl-C',
    load: async () => (await import('./commands/schedule.ts')).registerSchedule,
  },
  webhooks: {
    summary: 'events that the workspace sends',
    load: async (args) => (await import('./commands/webhooks.ts')).importWebhooks(args),
  },
  sandbox: {
    summary: 'a service of the API to try things on',
    load: async () => (await import('./commands/sandbox.ts')).registerSandbox,
  },
  demo: {
    summary: 'sandbox, run and all reports in one go',
    load: async () => (await import('./commands/demo.ts')).registerDemo,
  },
};

keepFilesPrivate();

const logLevels = ['error', 'warn', 'info', 'debug'] as const;

/** Only the commands that `args` name are imported: libraries take their time, and memory. */
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
    .option('--quiet', 'say nothing unless something fails')
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
  for (const [name, { summary, isHidden = false, load }] of Object.entries(commands)) {
    if (args.includes(name)) (await load(args))(program, invokeWith(program));
    else program.command(name, { hidden: isHidden });
    program.commands.at(-1)?.description(summary);
  }
  return program;
}

const firstSteps = `
First steps:
  $ postledger demo                  see what it makes, from a sandbox with made-up data
  $ postledger init                  write a jobs.yaml to start from
  $ postledger check --online        see whether keys and profiles are right
  $ postledger run                   read, load and report

Exit codes: 0 done, 1 failed, 2 wrong usage or config, 3 partly done, 4 in use by another process.`;

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
    const { createContext } = await import('./commands/create-context.ts');
    const context = await createContext(options, stopSignal());
    try {
      process.exitCode = await work(context);
    } finally {
      context.progress.close();
    }
  };
}

/** The one place where errors of the command line are printed. */
function printError(message: string): void {
  // also for errors before the options are read
  const isColorWanted = !process.argv.includes('--no-color') && canShowColor(process.stderr);
  const label = pc.createColors(isColorWanted).red('error');
  process.stderr.write(`${label}: ${stripTerminalControls(message)}\n`);
}

/** @returns the exit code; commander has printed its own errors */
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

/** A reader that closes the pipe early, as `head` does, is no error. */
let isResultLost = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || isResultLost) return;
  isResultLost = true;
  printError(
    `the result could not be written to standard output (${error.message}); what was done stays done, look with a command that only reads`,
  );
});
process.on('exit', (code) => {
  if (isResultLost && code === exitCodes.done) process.exitCode = exitCodes.failed;
});

// what Node itself throws outside of any call, for example when it gets no memory for a body
process.on('uncaughtException', (error) => {
  process.exit(reportError(error));
});

try {
  await (await createProgram(process.argv.slice(2))).parseAsync();
} catch (error) {
  process.exitCode = reportError(error);
}
