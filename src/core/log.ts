import { createRequire } from 'node:module';
import type * as Pino from 'pino';
import type * as PinoPretty from 'pino-pretty';
import { stripTerminalControls } from './terminal-text.ts';

const standardError = 2;

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

type LogCall = (fields: Record<string, unknown>, message: string) => void;

/**
 * Writes one line for each event: its fields, then a sentence. Callers never pass a secret. It never throws, since
 * a log line is worth less than the work.
 */
export interface Log {
  error: LogCall;
  warn: LogCall;
  info: LogCall;
  debug: LogCall;
}

interface LogDestination {
  write(line: string): unknown;
}

export interface LogOptions {
  level: LogLevel;
  format: 'text' | 'json';
  color: boolean;
  /** The destination of lines; the default is standard error. */
  destination?: LogDestination;
}

/**
 * Creates a log that writes synchronously, so that a line is written before the process ends. A line that cannot be
 * written, to a full disk or a closed pipe, is lost, since there is no other place to report it.
 */
export function createLog(options: LogOptions): Log {
  let opened: Log | null = null;
  const call =
    (level: LogLevel): LogCall =>
    (fields, message) => {
      opened ??= openLog(options);
      opened[level](fields, message);
    };
  return { error: call('error'), warn: call('warn'), info: call('info'), debug: call('debug') };
}

/** Loads the log library with the first line, since many commands log nothing. */
const require = createRequire(import.meta.url);

function openLog(options: LogOptions): Log {
  const { pino } = require('pino') as typeof Pino;
  const base = { level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const destination = options.destination ?? openStandardError(pino);
  const shape = options.format === 'json' ? escapeControls : shapeForPeople(options.color);
  return pino(base, { write: (line) => attempt(() => destination.write(shape(line))) });
}

function openStandardError({ destination: open }: typeof Pino.pino): LogDestination {
  const destination = open({ dest: standardError, sync: true });
  destination.on('error', () => undefined);
  return destination;
}

function shapeForPeople(colorize: boolean): (line: string) => string {
  const { prettyFactory } = require('pino-pretty') as typeof PinoPretty;
  const pretty = prettyFactory({
    colorize,
    singleLine: true,
    translateTime: 'yyyy-mm-dd HH:MM:ss',
  });
  return (line) => pretty(showControls(line));
}

/** Escapes DEL, C1 controls and bidi marks, which JSON leaves as they are. */
function escapeControls(line: string): string {
  return line.replaceAll(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (control) => {
    return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Replaces control characters by visible pictures, both plain ones and those that JSON escapes. */
function showControls(line: string): string {
  const escapes = /\\(?:u[0-9a-f]{4}|[^])/g;
  const shown = line.replaceAll(escapes, (escape) => {
    const text = JSON.parse(`"${escape}"`) as string;
    const picture = stripTerminalControls(text);
    return picture === text ? escape : picture;
  });
  return stripTerminalControls(shown);
}

function attempt(write: () => void): void {
  try {
    write();
  } catch {
    // There is no other place to report the lost line.
  }
}

const nothing: LogCall = () => undefined;

export const silentLog: Log = { error: nothing, warn: nothing, info: nothing, debug: nothing };
