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

/** What starts a program that may do no more than its user: root's rights over files of others are taken away. */
export const asOrdinaryUser: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

/** Holds programs to the rights that their user has. */
export const canForbid =
  asOrdinaryUser.length === 0 || canRun('setpriv', [...asOrdinaryUser.slice(1), 'true']);

function canRun(command: string, args: readonly string[]): boolean {
  const { status, error } = spawnSync(command, args);
  return status === 0 || (isCi && hasErrorCode(error, 'ENOENT'));
}
