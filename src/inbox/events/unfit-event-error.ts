import type { FieldErrors } from '../../api/schemas/error.ts';
import { PostledgerError } from '../../core/errors.ts';

/** What was sent is no event. Nothing of it is kept; its sender is told what is wrong. */
export class UnfitEventError extends PostledgerError {
  readonly code = 'EVENT_UNFIT';
  readonly recovery = 'fix-input';
  /** By field of the event; what concerns the whole stands under `body`. */
  readonly errors: FieldErrors;
  /** The errors in one line. */
  readonly summary: string;

  constructor(errors: FieldErrors, options?: ErrorOptions) {
    const reasons = Object.entries(errors).map(([field, found]) => `${field}: ${found.join(', ')}`);
    const summary = reasons.join('; ');
    super(`this is no event: ${summary}`, options);
    this.summary = summary;
    this.errors = errors;
  }
}
