import type { Log } from '../../core/log.ts';

/**
 * A log whose lines may fail to be written, as on a full disk that holds the log too: events go on being
 * taken, and there is no other place to tell of it.
 */
export function unfailingLog(log: Log): Log {
  return {
    error: attempt((fields, message) => log.error(fields, message)),
    warn: attempt((fields, message) => log.warn(fields, message)),
    info: attempt((fields, message) => log.info(fields, message)),
    debug: attempt((fields, message) => log.debug(fields, message)),
  };
}

function attempt(write: Log['info']): Log['info'] {
  return (fields, message) => {
    try {
      write(fields, message);
    } catch {
      // the line is lost
    }
  };
}
