import { spawnSync } from 'node:child_process';
import { hasErrorCode } from '../../src/core/errors.ts';

/**
 * What a machine lets tests do. On CI nothing is left out for a tool that is not installed: its test
 * runs, and fails. What the kernel forbids, as in some containers, is left out there too.
 */
const isCi = Boolean(process.env['CI']);

/** Set when the size of a process's files can be limited here. */
export const canLimit = canRun('prlimit', ['--fsize=1000:unlimited', 'true']);

/** Set when programs can mount their own file system here. */
export const canMount = canRun('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt']);

/** The arguments that start a program without root's permissions on files of others. */
export const asOrdinaryUser: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

/** Set when programs can be limited to the permissions of their user here. */
export const canForbid =
  asOrdinaryUser.length === 0 || canRun('setpriv', [...asOrdinaryUser.slice(1), 'true']);

function canRun(command: string, args: readonly string[]): boolean {
  const { status, error } = spawnSync(command, args);
  return status === 0 || (isCi && hasErrorCode(error, 'ENOENT'));
}
