import type { Log } from '../../src/core/log.ts';

/** A log that keeps its warnings. */
export function warningLog(): { warnings: [object, string][]; log: Log } {
  const warnings: [object, string][] = [];
  const ignore = () => undefined;
  const warn = (fields: object, message: string) => void warnings.push([fields, message]);
  return { warnings, log: { error: ignore, info: ignore, debug: ignore, warn } };
}
