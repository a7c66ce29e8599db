import { basename } from 'node:path';
import { PostledgerError, exitCodes } from '../core/errors.ts';

/** Keys of mappings and indexes of lists, from the top of the file. */
export type ConfigPath = readonly (string | number)[];

/** A mistake, or a likely mistake, at one location in the file. */
export interface Finding {
  readonly path: ConfigPath;
  /** A text that continues the path: `must be at least 1, got 0`. It never holds a secret. */
  readonly message: string;
}

export interface ConfigProblem extends Finding {
  /** A line number from 1; null if the location is not in the file. */
  readonly line: number | null;
}

/** A jobs.yaml that cannot be used, with all of its mistakes. */
export class ConfigError extends PostledgerError {
  readonly code = 'CONFIG';
  readonly recovery = 'fix-input';
  override readonly exitCode = exitCodes.usage;
  /** The mistakes in the file's order; empty if the file cannot be read. */
  readonly problems: readonly ConfigProblem[];

  constructor(message: string, problems: readonly ConfigProblem[] = [], options?: ErrorOptions) {
    super(message, options);
    this.problems = problems;
  }
}

/** Creates one error that names each problem with its line and path. */
export function configErrorOf(file: string, problems: readonly ConfigProblem[]): ConfigError {
  const sorted = problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  const lines = sorted.map((problem) => formatProblem(file, problem));
  const [first = '', ...rest] = lines;
  const message =
    rest.length === 0 ? first : `${file}: ${lines.length} mistakes\n  ${lines.join('\n  ')}`;
  return new ConfigError(message, sorted);
}

/** Formats a problem, for example `jobs.yaml:14: jobs.daily.windows.size_days: must be at least 1, got 0`. */
export function formatProblem(file: string, { path, line, message }: ConfigProblem): string {
  return [formatLocation(file, path, line), message].join(': ');
}

/** Formats a location, for example `jobs.yaml:14: workspaces.acme.api_key`. */
export function formatLocation(file: string, path: ConfigPath, line: number | null): string {
  const where = line === null ? basename(file) : `${basename(file)}:${line}`;
  const what = pathText(path);
  return what === '' ? where : `${where}: ${what}`;
}

/** Formats the path of a value, for example `jobs.daily.reports[0].out`. */
export function pathText(path: ConfigPath): string {
  return path.map(formatSegment).join('').replace(/^\./, '');
}

function formatSegment(segment: string | number): string {
  if (typeof segment === 'number') return `[${segment}]`;
  return /^[\w-]+$/.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`;
}
