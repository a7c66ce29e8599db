import type { FieldErrors } from '../schemas/error.ts';
import { ApiError, describeCall, type Call } from './api-error.ts';

/** A message stays readable. */
const mostFields = 20;
const mostProblems = 3;

/** Values of a request that do not fit, by whomever they were found. */
export abstract class FieldError extends ApiError {
  readonly recovery = 'fix-input';
  readonly isRetryable = false;
  readonly fieldErrors: FieldErrors;
  readonly #lines: readonly string[];

  constructor(
    call: Call,
    status: number | null,
    said: string,
    fieldErrors: FieldErrors,
    advice: string,
  ) {
    const fields = fieldLines(fieldErrors);
    super(call, status, [said, fields.join('; ')].filter(Boolean).join(': '), advice);
    this.fieldErrors = fieldErrors;
    this.#lines = [`${describeCall(call)}: ${said}`, ...fields.map(indent), advice];
  }

  /** A line for each field. */
  override explain(): string {
    return this.#lines.join('\n');
  }
}

function fieldLines(fieldErrors: FieldErrors): string[] {
  const lines = Object.entries(fieldErrors).map(
    ([field, problems]) => `${field}: ${problemsLine(problems)}`,
  );
  const more = lines.length - mostFields;
  return more > 0 ? [...lines.slice(0, mostFields), `and ${more} more fields`] : lines;
}

function problemsLine(problems: readonly string[]): string {
  if (problems.length === 0) return 'refused without a reason';
  const more = problems.length - mostProblems;
  const shown = problems.slice(0, mostProblems).join(', ');
  return more > 0 ? `${shown}, and ${more} more` : shown;
}

function indent(line: string): string {
  return `  ${line}`;
}
