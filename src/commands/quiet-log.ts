import type { Log } from '../core/log.ts';

/** A log that passes on warnings and errors alone. */
export function quietLog({ warn, error }: Log): Log {
  return { warn, error, info: () => undefined, debug: () => undefined };
}
