import { PostledgerError, errorMessage, isSystemError } from './errors.ts';

const memoryRemedy = 'the machine is out of memory: stop other programs, or give this process more';

/** Advice for failed system calls, by error code. */
const remedies: Readonly<Record<string, string>> = {
  EACCES: 'give this user permission',
  EPERM: 'give this user permission',
  EROFS: 'the disk is read-only: name another place, or mount it for writing',
  ENOSPC:
    'the disk is full: free some space; stored data is kept, and the next run continues from there',
  EDQUOT: 'the disk quota is used up: free some space; stored data is kept',
  EFBIG: 'the file exceeds the size limit: raise the limit (ulimit -f), or name another disk',
  EEXIST: 'something of that name is in the way: move it away',
  EMFILE: 'too many files are open: raise the limit (ulimit -n)',
  ENFILE: 'too many files are open on this machine: stop other programs, and run it again',
  ENOMEM: memoryRemedy,
  ENOENT: 'it is not there: correct the path, or mount its disk',
  ELOOP: 'links lead back to themselves: correct them',
  ENXIO: 'nothing reads there: name a file',
  ENOTSUP: 'the file system cannot do this: name another disk',
  ENOSYS: 'the file system cannot do this: name another disk',
  ENOTCONN: 'the network disk has been cut off: mount it again',
  ENOTDIR: 'a part of the path is not a folder: correct it, or move the file away',
  EISDIR: 'it is a folder: name a file',
  EIO: 'the disk has failed: check it',
  ESTALE: 'the network disk has lost it: mount it again',
};

/** Returns the advice for this error code, or null if there is none. */
export function remedyFor(code: string): string | null {
  return remedies[code] ?? null;
}

/** Matches the messages of Node and the system's loader when memory runs out; these errors name no system call. */
const memoryRefusal = /^Array buffer allocation failed|cannot (map|allocate).*(pages|memory)/i;

/** Describes a failed system call and its remedy in a sentence. Returns null for any other error. */
export function machineProblem(error: unknown): string | null {
  if (error instanceof Error && memoryRefusal.test(error.message)) {
    return `${error.message}; ${memoryRemedy}`;
  }
  if (!isSystemError(error)) return null;
  const remedy = remedyFor(String(error.code));
  return remedy === null ? null : `${error.message}; ${remedy}`;
}

/** Describes an error in a sentence, with its remedy if one is known. */
export function problemText(error: unknown): string {
  if (error instanceof PostledgerError) return error.message;
  return machineProblem(error) ?? errorMessage(error);
}
