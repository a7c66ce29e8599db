import { ApiError, type Call } from './api-error.ts';

/** What is wrong with the fields of a request: a field's name to sentences. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

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
    this.#lines = [`${call.method} ${call.path}: ${said}`, ...fields.map(indent), advice];
  }

  /** A line for each field. */
  override explain(): string {
    return this.#lines.join('\n');
  }
}

function fieldLines(fieldErrors: FieldErrors): string[] {
  return Object.entries(fieldErrors).map(([field, problems]) => `${field}: ${problems.join(', ')}`);
}

function indent(line: string): string {
  return `  ${line}`;
}
