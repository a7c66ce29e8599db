import { z } from 'zod';
import { PostledgerError, errorMessage } from '../core/errors.ts';
import { remedyFor } from '../core/machine-problem.ts';
import {
  CatalogLostError,
  LakeError,
  QueryError,
  WarehouseDamagedError,
  WarehouseMachineError,
} from './warehouse-errors.ts';

/** The operating system's texts of what it refuses, as DuckDB passes them on, with the system's codes. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [/No space left on device/, 'ENOSPC'],
  [/Disk quota exceeded/, 'EDQUOT'],
  [/File too large/, 'EFBIG'],
  [/Read-only file system/, 'EROFS'],
  [/Permission denied/, 'EACCES'],
  [/Operation not permitted/, 'EPERM'],
  [/Too many open files in system/, 'ENFILE'],
  [/Too many open files/, 'EMFILE'],
  [/Input\/output error/, 'EIO'],
  [/Stale file handle/, 'ESTALE'],
  [/Cannot allocate memory/, 'ENOMEM'],
  // DuckDB spills into 90 % of the free disk space at most
  [/failed to offload data block/, 'ENOSPC'],
];

const lostCatalog =
  /Unable to connect to Postgres|connection to server|terminating connection|SSL connection|no connection to the server|server closed the connection|Failed to execute query "(?:COMMIT|ROLLBACK)/i;
const catalogRemedy =
  'the catalog cannot be reached: see that PostgreSQL runs, and takes the address and the role that jobs.yaml names';

/** The texts of what a lake's storage and catalog refuse, with remedies. */
const lakeRefusals: readonly (readonly [RegExp, string])[] = [
  [
    /HTTP(?: code)? 40[013]|SignatureDoesNotMatch|InvalidAccessKeyId|AccessDenied/,
    'the storage refuses its keys: see s3 in the warehouse of jobs.yaml',
  ],
  [
    /No snapshot found|HTTP(?: code)? 404|NoSuchKey|Cannot open file .*No such file/i,
    'what was being read is gone: `warehouse maintain` expired it, or files were removed from the storage; run it again',
  ],
  [
    /HTTP Error|HTTP code|Could not (?:connect|establish)|Timeout was reached/i,
    'the storage cannot be reached: see its endpoint in the warehouse of jobs.yaml, and its state',
  ],
  [/after the transaction has ended/, 'the lake changed while it was being read: run it again'],
  [
    /permission denied for (?:table|schema|database|sequence)/i,
    'the catalog refuses its role: grant it what docs/lake.md says',
  ],
];

const memoryRemedy =
  'it has too little memory: give this process more, or end what else uses it; nothing was changed';
const engineRemedy =
  'nothing was changed: run it again; if it comes again, run `postledger rebuild`, and report this';
const damageRemedy =
  'the file is damaged: `postledger rebuild` builds the warehouse from the raw store';

/**
 * Converts what DuckDB threw. What the machine refused and what is damaged have a class and a remedy of their own; all
 * else is the statement's fault. After a fatal or an internal error the instance is useless: close it.
 */
export function engineErrorOf(cause: unknown): PostledgerError {
  if (cause instanceof PostledgerError) return cause;
  const error = queryErrorOf(cause);
  const text = firstLine(error.message);
  const known = machineErrorOf(text, cause) ?? lakeErrorOf(text, cause);
  if (known) return known;
  if (/Corrupt database file|Could not read enough bytes from file/.test(text)) {
    return new WarehouseDamagedError(`${text}; ${damageRemedy}`, { cause });
  }
  if (/^(FATAL|INTERNAL) Error/.test(text)) {
    return new WarehouseMachineError(`DuckDB failed (${text}); ${engineRemedy}`, { cause });
  }
  return error;
}

/** A value that a statement could not convert may quote any text. */
const kinds = /^(IO|FATAL|INTERNAL|TransactionContext|Out of Memory) Error/;

/** Returns null for an error in which the machine has no part. @param text the first line of DuckDB's message */
export function machineErrorOf(text: string, cause: unknown): WarehouseMachineError | null {
  if (!kinds.test(text)) return null;
  const code = refusals.find(([pattern]) => pattern.test(text))?.[1];
  if (code !== undefined) {
    return new WarehouseMachineError(`${text}; ${remedyFor(code) ?? engineRemedy}`, { cause });
  }
  if (!/Out of Memory|bad.alloc/.test(text)) return null;
  return new WarehouseMachineError(`DuckDB stopped (${text}); ${memoryRemedy}`, { cause });
}

function lakeErrorOf(text: string, cause: unknown): PostledgerError | null {
  if (!/^(IO|HTTP|Invalid|Invalid Input|Not implemented|TransactionContext) Error/.test(text))
    return null;
  if (lostCatalog.test(text)) return new CatalogLostError(`${text}; ${catalogRemedy}`, { cause });
  const remedy = lakeRefusals.find(([pattern]) => pattern.test(text))?.[1];
  return remedy === undefined ? null : new LakeError(`${text}; ${remedy}`, { cause });
}

/** DuckDB's own text, without the stack and the advice to its programmers that follow. */
export function firstLine(error: unknown): string {
  const text = typeof error === 'string' ? error : errorMessage(error);
  return text.split('\n')[0] ?? text;
}

/**
 * Makes a session report where in its SQL an error is, to the byte, also in scripts of several statements: the line
 * in DuckDB's own messages counts from the wrong statement there.
 */
export const locateErrors = 'set global errors_as_json = true';

const locatedSchema = z.object({
  exception_type: z.string(),
  exception_message: z.string(),
  position: z.coerce.number().int().min(0).optional(),
});

/** Converts what DuckDB threw, with the position in the SQL if the session reports it. */
function queryErrorOf(cause: unknown): QueryError {
  if (cause instanceof QueryError) return cause;
  const message = errorMessage(cause);
  const start = message.indexOf('{"exception_type"');
  const located = start === -1 ? null : readLocated(message.slice(start));
  if (located === null) return new QueryError(message, { cause });
  const { exception_type: kind, exception_message: text, position = null } = located;
  return new QueryError(`${kind} Error: ${text.trimEnd()}`, { cause, position });
}

function readLocated(text: string) {
  try {
    return locatedSchema.parse(JSON.parse(text));
  } catch {
    // a message that only looks like it is passed on as it came
    return null;
  }
}
