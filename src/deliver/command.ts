import { spawn } from 'node:child_process';
import { errorMessage, hasErrorCode } from '../core/errors.ts';
import type { SendOutcome } from './delivery.ts';

const timeLimitMs = 600_000;
const mostErrorText = 2_000;
/** How long the error text of a program that has ended may take to arrive. */
const lastWordsMs = 500;
/** EX_TEMPFAIL of sysexits.h: try again later. */
const tryAgain = 75;
/** All that a command gets of the environment, so that no secret of ours is in it. */
const passed =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TZ|TMPDIR|XDG_\w+|SYSTEMROOT|USERPROFILE|APPDATA)$/i;

/**
 * Runs a program without a shell, in a process group of its own, until it ends; what it has started may go on. Exit code
 * 0: sent; 75: tried again later; any other: failed.
 * @param command `{folder}` in its arguments is replaced
 */
export function runCommand(
  command: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const [program = '', ...args] = command.map((word) => word.replaceAll('{folder}', folder));
  const environment = Object.entries(process.env).filter(([name]) => passed.test(name));
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: Object.fromEntries(environment),
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let problem: string | null = null;
    const stop = (why: string) => {
      problem = why;
      killGroup(child.pid);
    };
    const timer = setTimeout(() => stop('stopped after 10 minutes'), timeLimitMs);
    const onAbort = () => stop('stopped while it ran');
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    const finish = (outcome: SendOutcome) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    let errorText = '';
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text: string) => {
      errorText = `${errorText}${text}`.slice(-mostErrorText);
    });
    child.on('error', (error) => finish({ state: 'failed', reason: errorMessage(error) }));
    // a child of its own may keep the pipe open for as long as it likes
    child.on('exit', () => setTimeout(() => child.stderr.destroy(), lastWordsMs));
    child.on('close', (code) => {
      const lastLine = errorText.trim().split('\n').at(-1) ?? '';
      const reason = [`exit code ${code ?? 'none'}`, lastLine].filter(Boolean).join(': ');
      if (problem !== null) finish({ state: 'unknown', reason: problem });
      else if (code === 0) finish({ state: 'sent', reason });
      else if (code === tryAgain) finish({ state: 'queued', reason, ofServer: false });
      else finish({ state: 'failed', reason });
    });
  });
}

/** The program and what it started; they may be over by now. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!hasErrorCode(error, 'ESRCH')) throw error;
  }
}
