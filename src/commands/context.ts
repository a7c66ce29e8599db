import type { Readable, Writable } from 'node:stream';
import type { Command } from '@commander-js/extra-typings';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { ExitCode } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Progress } from '../core/progress.ts';

/** The context that a command is given beside its own flags. */
export interface CommandContext {
  readonly clock: Clock;
  readonly log: Log;
  readonly progress: Progress;
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  readonly environment: NodeJS.ProcessEnv;
  /** Absolute path of `--config`, whether or not it exists. */
  readonly configFile: string;
  /** True with `--quiet`: success prints nothing. */
  readonly isQuiet: boolean;
  /** Standard output, which is for results alone. */
  readonly output: Output;
  /** The streams of questions and answers. Questions can be asked if both are terminals. */
  readonly dialogue: {
    readonly input: Readable & { readonly isTTY?: boolean };
    /** Standard error, since standard output is for results. */
    readonly output: Writable & { readonly isTTY?: boolean };
  };
  /**
   * @param mayBeErasing true for a command that shows nothing of what is being erased, or finishes it
   * @throws ConfigError with every mistake in the file
   * @throws UnfinishedErasureError
   */
  readonly loadConfig: (options?: { readonly mayBeErasing?: boolean }) => Promise<Config>;
}

export interface Output {
  write(data: string | Uint8Array): void;
  readonly isTerminal: boolean;
  /** Columns to fill; null where the output is no terminal. */
  readonly width: number | null;
  readonly hasColor: boolean;
}

/** Runs a command's work with a context, and turns what it returns or throws into the exit code. */
export type Invoke = (work: (context: CommandContext) => Promise<ExitCode>) => Promise<void>;

/** Adds one command, or a group of them, to the program. */
export type Register = (program: Command, invoke: Invoke) => void;

/** Prints a result: as JSON for `--json`, else as text, which ends with a line feed. */
export function printResult<Result>(
  output: Output,
  { json }: { readonly json?: true | undefined },
  result: Result,
  textOf: (result: Result) => string,
): void {
  output.write(json ? `${JSON.stringify(result, null, 2)}\n` : textOf(result));
}

/** Resolves when the signal aborts, at once where it has. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
