import { SpoolUnavailableError } from './spool-errors.ts';

const stampLength = '2026-01-15T12:00:00.000Z'.length;

/**
 * A time as segments and their lines have it: ISO 8601, UTC.
 * @throws SpoolUnavailableError before the year 0 and after 9999, which take more digits than any reader expects
 */
export function stampOf(time: Date): string {
  const stamp = time.toISOString();
  if (stamp.length === stampLength) return stamp;
  throw new SpoolUnavailableError(
    `the clock of this machine says ${stamp}, and no event is stored under such a time: set the clock`,
  );
}
