import { PostledgerError, errorMessage, isSystemError } from './errors.ts';

const memoryRemedy = 'the machine has no memory left: end what uses it, or give this process more';

/** What to do about a refusal of the machine, by the system's code for it. */
const remedies: Readonly<Record<string, string>> = {
  EACCES: 'give this user the right to it',
  EPERM: 'give this user the right to it',
  EROFS: 'the disk is read-only: name another place, or mount it for writing',
  ENOSPC: 'the disk is full: make room; what is stored is kept, and the next run goes on there',
  EDQUOT: 'the disk quota is used up: make room; what is stored is kept',
  EFBIG: 'a file may not grow so large here: raise the limit (ulimit -f), or name another disk',
  EEXIST: 'something of that name is in the way: move it away',
  EMFILE: 'too many files are open: raise the limit (ulimit -n)',
  ENFILE: 'too many files are open on this machine: end what holds them, and run it again',
  ENOMEM: memoryRemedy,
  ENOTDIR: 'a part of the path is no folder: correct it, or move the file away',
  EISDIR: 'it is a folder: name a file',
  EIO: 'the disk has failed: check it',
  ESTALE: 'the network disk has lost it: mount it again',
};

/** What to do about a refusal with this code; null where nothing general can be said. */
export function remedyFor(code: string): string | null {
  return remedies[code] ?? null;
}

/** How Node and the system's loader say that they get no memory: their errors name no system call. */
const memoryRefusal = /^Array buffer allocation failed|cannot (map|allocate).*(pages|memory)/i;

/** What the machine refused, and the remedy, in a sentence; null for anything else. */
export function machineProblem(error: unknown): string | null {
  if (error instanceof Error && memoryRefusal.test(error.message)) {
    return `${error.message}; ${memoryRemedy}`;
  }
  if (!isSystemError(error)) return null;
  const remedy = remedyFor(String(error.code));
  return remedy === null ? null : `${error.message}; ${remedy}`;
}

/** An error as a sentence for people, with its remedy where one is known. */
export function problemText(error: unknown): string {
  if (error instanceof PostledgerError) return error.message;
  return machineProblem(error) ?? errorMessage(error);
}
