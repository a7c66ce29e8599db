import { exitCodes } from '../../core/errors.ts';
import type { Call } from './api-error.ts';
import type { FieldErrors } from '../schemas/error.ts';
import { FieldError } from './field-errors.ts';

/** Before any request: values that are not of the form that the API documents. */
export class InvalidRequestError extends FieldError {
  readonly code = 'API_REQUEST_INVALID';
  override readonly exitCode = exitCodes.usage;

  constructor(call: Call, fieldErrors: FieldErrors) {
    super(call, null, 'not sent', fieldErrors, 'correct the values and try again');
  }
}
