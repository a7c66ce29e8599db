import { spawn } from 'node:child_process';
import { errorMessage, hasErrorCode } from '../core/errors.ts';
import type { SendOutcome } from './delivery.ts';

const timeLimitMs = 600_000;
const maxErrorText = 2_000;
/** The time that the last error text of a finished program may take to arrive. */
const stderrGraceMs = 500;
/** The exit code that asks for another try later, EX_TEMPFAIL of sysexits.h. */
const tryAgainCode = 75;
/** The environment variables that are passed to a command. No secret is among them. */
const passedVariables =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TZ|TMPDIR|XDG_\w+|SYSTEMROOT|USERPROFILE|APPDATA)$/i;

/**
 * Runs a program without a shell, in a process group of its own, until it ends. Processes that it has started
 * may continue. Exit code 0 means sent, 75 means that it is tried again later, and any other code means
 * failed.
 * @param command the program and its arguments; `{folder}` in them is replaced
 */
export function runCommand(
  command: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const [program = '', ...args] = command.map((word) => word.replaceAll('{folder}', folder));
  const environment = Object.entries(process.env).filter(([name]) => passedVariables.test(name));
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
    const timer = setTimeout(() => stop('it was stopped after 10 minutes'), timeLimitMs);
    const onAbort = () => stop('it was stopped before it had finished');
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
      errorText = `${errorText}${text}`.slice(-maxErrorText);
    });
    child.on('error', (error) => finish({ state: 'failed', reason: errorMessage(error) }));
    // a process that it started may keep the pipe open
    child.on('exit', () => setTimeout(() => child.stderr.destroy(), stderrGraceMs));
    child.on('close', (code) => {
      const lastLine = errorText.trim().split('\n').at(-1) ?? '';
      const reason = [`exit code ${code ?? 'none'}`, lastLine].filter(Boolean).join(': ');
      if (problem !== null) finish({ state: 'unknown', reason: problem });
      else if (code === 0) finish({ state: 'sent', reason });
      else if (code === tryAgainCode) finish({ state: 'queued', reason, ofServer: false });
      else finish({ state: 'failed', reason });
    });
  });
}

/** Kills the program and the processes that it started, if they still run. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!hasErrorCode(error, 'ESRCH')) throw error;
  }
}
