import { pino, type DestinationStream } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { LineWriter } from './line-writer.ts';

const standardError = 2;

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

type LogCall = (fields: Record<string, unknown>, message: string) => void;

/**
 * One clean line for each event: its fields, then a sentence. Never given a secret. Never throws: what was to
 * be told is worth less than what goes on.
 */
export interface Log {
  error: LogCall;
  warn: LogCall;
  info: LogCall;
  debug: LogCall;
}

export interface LogOptions {
  level: LogLevel;
  format: 'text' | 'json';
  color: boolean;
  /** Where lines go; standard error unless a test asks for them. */
  destination?: DestinationStream;
}

/**
 * A log that writes synchronously, so that a line is out before the process ends. A line that cannot be
 * written, on a full disk or into a closed pipe, is lost: there is no other place to tell of it.
 */
export function createLog(options: LogOptions): Log {
  const base = { level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const destination = options.destination ?? new LineWriter(standardError);
  const shape = options.format === 'json' ? (line: string) => line : shapeForPeople(options.color);
  return pino(base, { write: (line) => attempt(() => destination.write(shape(line))) });
}

function shapeForPeople(colorize: boolean): (line: string) => string {
  return prettyFactory({ colorize, singleLine: true, translateTime: 'yyyy-mm-dd HH:MM:ss' });
}

function attempt(write: () => void): void {
  try {
    write();
  } catch {
    // the line is lost
  }
}

const nothing: LogCall = () => undefined;

export const silentLog: Log = { error: nothing, warn: nothing, info: nothing, debug: nothing };
