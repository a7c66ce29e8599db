import { PostledgerError, isSystemError } from '../../core/errors.ts';
import { problemText } from '../../core/machine-problem.ts';

/** What could not be read, and why. */
export interface StatusProblem {
  /** For example `warehouse`. */
  readonly subject: string;
  /** With what to do about it. */
  readonly message: string;
}

/** Reads one thing after another; what cannot be read is noted, and costs the rest nothing. */
export class PartialReading {
  readonly problems: StatusProblem[] = [];

  /** @throws what neither the machine nor a file is to blame for */
  async read<Value>(subject: string, work: () => Promise<Value>, otherwise: Value): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PostledgerError || isSystemError(error))) throw error;
      this.problems.push({ subject, message: problemText(error) });
      return otherwise;
    }
  }
}
