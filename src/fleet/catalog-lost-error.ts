import { PostledgerError } from '../core/errors.ts';

/** The lake's catalog cannot be reached; of a COMMIT that is under way nobody knows what becomes. */
export class CatalogLostError extends PostledgerError {
  readonly code = 'WAREHOUSE_CATALOG';
  readonly recovery = 'retry';
}
