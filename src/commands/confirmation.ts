import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { InterruptedError, PostledgerError, UsageError } from '../core/errors.ts';
import { stripTerminalControls } from '../core/terminal-text.ts';

/** The user was asked before a change and did not say yes. */
export class DeclinedError extends PostledgerError {
  readonly code = 'DECLINED';
  readonly recovery = 'abort';

  constructor(options?: ErrorOptions) {
    super('not confirmed; nothing was changed', options);
  }
}

export interface ConfirmationOptions {
  /** True if the command line said yes already. */
  readonly yes: boolean;
  readonly input: Readable & { readonly isTTY?: boolean };
  /** The stream of the question: standard error, since standard output is for results. */
  readonly output: Writable & { readonly isTTY?: boolean };
  readonly signal: AbortSignal;
  /** The command as the user typed it, for example `posts unschedule`. */
  readonly command: string;
}

/**
 * Returns when a change may be made: it was said in advance, or the user says so now.
 *
 * @throws DeclinedError for any answer but yes, for the end of the input, and for Ctrl-C
 * @throws UsageError where there is no terminal to ask on
 * @throws InterruptedError when `signal` is aborted before there is an answer
 */
export async function confirmChange(question: string, options: ConfirmationOptions): Promise<void> {
  if (options.yes) return;
  const asked = stripTerminalControls(question);
  if (!isTerminal(options))
    throw new UsageError(
      `${options.command} makes a change and asks first, but there is no terminal to ask on: ${asked} Add --yes to answer yes`,
    );
  const answer = await readAnswer(`${asked} [y/N] `, options);
  if (!/^y(?:es)?$/iu.test(answer.trim())) throw new DeclinedError();
}

/** Returns true if there is a person to ask. */
export function isTerminal({
  input,
  output,
}: Pick<ConfirmationOptions, 'input' | 'output'>): boolean {
  return input.isTTY === true && output.isTTY === true;
}

/** The line that the user types; without one the cursor is left on a line of its own. */
async function readAnswer(question: string, options: ConfirmationOptions): Promise<string> {
  const { input, output, signal } = options;
  if (input.readableEnded) throw new DeclinedError();
  const reader = createInterface({ input, output });
  // readline could watch the signal itself, but would then break the line in some cases only
  const abandoned = new Promise<never>((_, reject) => {
    const abandon = () => reject(new Error('the question was abandoned'));
    reader.once('close', abandon).once('error', reject);
    if (signal.aborted) abandon();
    signal.addEventListener('abort', abandon, { once: true });
  });
  try {
    return await Promise.race([abandoned, reader.question(question)]);
  } catch (cause) {
    output.write('\n');
    if (!signal.aborted) throw new DeclinedError({ cause });
    const message = 'stopped before the change was confirmed; nothing was changed';
    throw new InterruptedError(message, { cause });
  } finally {
    reader.close();
  }
}
