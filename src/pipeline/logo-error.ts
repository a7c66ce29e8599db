import { PostledgerError } from '../core/errors.ts';

/** A logo that the config names cannot be embedded. */
export class LogoError extends PostledgerError {
  readonly code = 'LOGO';
  readonly recovery = 'fix-input';
}
