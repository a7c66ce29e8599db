import { PostledgerError } from '../../core/errors.ts';

/** The archive cannot be pruned as it stands; nothing was removed. */
export class PruneRefusedError extends PostledgerError {
  readonly code = 'PRUNE_REFUSED';
  readonly recovery = 'fix-input';
}
