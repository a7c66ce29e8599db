import type { ConfigPath } from './config-path.ts';

/** A problem that has a place but not yet a line. */
export interface Finding {
  readonly path: ConfigPath;
  /** Continues the path: `must be at least 1, got 0`. */
  readonly message: string;
}
