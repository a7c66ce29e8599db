import { spawnSync } from 'node:child_process';
import { hasErrorCode } from '../../src/core/errors.ts';

/**
 * What a machine lets tests do. On CI nothing is left out for a tool that is not installed: its test
 * runs, and fails. What the kernel forbids, as in some containers, is left out there too.
 */
const isCi = Boolean(process.env['CI']);

/** Limits the size of a process's files. */
export const canLimit = canRun('prlimit', ['--fsize=1000:unlimited', 'true']);

/** Mounts a file system of its own. */
export const canMount = canRun('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt']);

function canRun(command: string, args: readonly string[]): boolean {
  const { status, error } = spawnSync(command, args);
  return status === 0 || (isCi && hasErrorCode(error, 'ENOENT'));
}
