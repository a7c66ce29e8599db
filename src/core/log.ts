import { Writable } from 'node:stream';
import { pino, type DestinationStream } from 'pino';
import pretty from 'pino-pretty';

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

type LogCall = (fields: Record<string, unknown>, message: string) => void;

/** One clean line for each event: its fields, then a sentence. Never given a secret. */
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

/** A log that writes synchronously, so that a line is out before the process ends. */
export function createLog(options: LogOptions): Log {
  const base = { level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const destination = options.destination ?? pino.destination({ dest: 2, sync: true });
  if (options.format === 'json') return pino(base, destination);
  const text = pretty({
    colorize: options.color,
    singleLine: true,
    translateTime: 'yyyy-mm-dd HH:MM:ss',
    destination: options.destination ? streamTo(options.destination) : 2,
    sync: true,
  });
  return pino(base, text);
}

/** pino-pretty takes whole streams only. */
function streamTo(destination: DestinationStream): Writable {
  return new Writable({
    write: (lines: Buffer, _, done) => {
      destination.write(lines.toString());
      done();
    },
  });
}

const nothing: LogCall = () => undefined;

export const silentLog: Log = { error: nothing, warn: nothing, info: nothing, debug: nothing };
