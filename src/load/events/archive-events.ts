import type { Config } from '../../config/config.ts';
import { BusyError, isSystemError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { archiveSegments, type ReadSegment } from '../../archive/archive-segments.ts';
import type { LockPatience } from '../../inbox/spool/key-file.ts';
import { KeyFileError } from '../../inbox/spool/spool-errors.ts';

export interface ArchiveOptions extends LockPatience {
  readonly config: Pick<Config, 'dataDir'>;
  readonly log: Log;
}

/**
 * Moves segments whose events are published to the archive. Where that cannot be done it is told of, and
 * left to the next load: to read them again changes nothing.
 * @throws InterruptedError when the signal aborts while another process moves segments
 */
export async function archiveEvents(
  segments: readonly ReadSegment[],
  { config, log, ...patience }: ArchiveOptions,
): Promise<void> {
  try {
    await archiveSegments(config.dataDir, segments, patience);
  } catch (error) {
    if (!isExpected(error)) throw error;
    log.warn(
      { error: error.message },
      'the events are loaded, but could not be moved to the archive; the next load tries it again',
    );
  }
}

function isExpected(error: unknown): error is Error {
  return error instanceof BusyError || error instanceof KeyFileError || isSystemError(error);
}
