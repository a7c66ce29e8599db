import { tmpdir, totalmem } from 'node:os';
import { runChildTask, type ChildTask } from '../core/child-task.ts';
import type { Clock } from '../core/clock.ts';
import { BusyError, UsageError } from '../core/errors.ts';
import type { ErrorClass } from '../core/relayed-error.ts';
import { withPrivateFolder } from '../core/private-folder.ts';
import { MemoryLimitError, type LimitRemedies, type TaskLimits } from '../core/task-errors.ts';
import { ReportDefinitionError, ReportQueryError } from '../report/report-errors.ts';
import type { EngineLimits } from '../warehouse/engine-limits.ts';
import {
  QueryError,
  WarehouseDamagedError,
  WarehouseFileError,
  WarehouseMachineError,
  WarehouseMissingError,
  WarehouseSchemaError,
} from '../warehouse/warehouse-errors.ts';
import { LogoError } from './logo-error.ts';

/** What a task may throw, beside what the machine does. */
export const taskErrors: readonly ErrorClass[] = [
  BusyError,
  LogoError,
  QueryError,
  ReportDefinitionError,
  ReportQueryError,
  UsageError,
  WarehouseDamagedError,
  WarehouseFileError,
  WarehouseMachineError,
  WarehouseMissingError,
  WarehouseSchemaError,
];

/** Five minutes, and half of the memory that there is. */
export const defaultLimits: TaskLimits = {
  timeoutMs: 300_000,
  memoryBytes: Math.max(2 ** 29, Math.floor(availableMemory() / 2)),
};

/** Of the machine, or of the container that this runs in. */
function availableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** For what has no flags. */
export const moreByReportRun: LimitRemedies = {
  time: 'render it by `postledger report run`, whose --timeout allows more',
  memory: 'render it by `postledger report run`, whose --memory allows more',
};

/** For commands that have both flags. */
export const moreByFlags: LimitRemedies = {
  time: 'allow more with --timeout',
  memory: 'allow more with --memory',
};

export interface TaskTools {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly limits: TaskLimits;
  readonly remedies: LimitRemedies;
}

/**
 * Runs SQL that is not the program's own: in a process that sees no key and is killed when it goes beyond the
 * limits, with the signal, and with this process.
 * @param scratch folders of the task's own, beside that which the database spills to
 */
export async function runLimited<Output>(
  what: string,
  scratch: readonly string[],
  tools: TaskTools,
  taskOf: (engine: EngineLimits) => ChildTask,
): Promise<Output> {
  const { memoryBytes } = tools.limits;
  try {
    return await withPrivateFolder(tmpdir(), (spillFolder) =>
      runChildTask<Output>(taskOf({ memoryBytes, spillFolder }), {
        ...tools,
        what,
        scratch: [...scratch, spillFolder],
        errors: taskErrors,
      }),
    );
  } catch (error) {
    throw limitErrorOf(error, what, tools);
  }
}

/** What the database says of the limits that it was given speaks of settings that nobody here can change. */
export function limitErrorOf(
  error: unknown,
  what: string,
  { limits, remedies }: TaskTools,
): unknown {
  const isOfLimits =
    error instanceof WarehouseMachineError &&
    /Out of Memory Error|max_temp_directory_size/.test(error.message);
  return isOfLimits ? new MemoryLimitError(what, limits, remedies) : error;
}
