import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { WebhooksConfig } from '../../src/config/config.ts';
import { defaultWebhooks } from '../../src/config/services-schema.ts';
import { Secret } from '../../src/config/secret.ts';
import { systemClock, type Clock } from '../../src/core/clock.ts';
import { createLog, type Log } from '../../src/core/log.ts';
import { listEventKeys, readEvent } from '../../src/store/event-store.ts';
import { startReceiver } from '../../src/webhooks/receiver.ts';
import { temporaryFolder } from './temporary-folder.ts';

type LogLine = Record<string, unknown>;

export interface TestReceiver {
  readonly url: string;
  readonly port: number;
  readonly metricsUrl: string;
  readonly dataDir: string;
  /** The log lines in order, without their times. */
  readonly lines: readonly LogLine[];
  readonly post: (body: string | Uint8Array, headers?: Record<string, string>) => Promise<Response>;
  /** The bodies of all events on disk, in the order of their keys. */
  readonly storedEvents: () => Promise<unknown[]>;
  readonly close: () => Promise<void>;
}

export interface TestReceiverOptions {
  readonly webhooks?: Partial<WebhooksConfig>;
  readonly clock?: Clock;
  /** A log to use instead of one that collects its lines. */
  readonly log?: Log;
}

/** A receiver on a free port with its own folder. */
export async function startTestReceiver(options: TestReceiverOptions = {}): Promise<TestReceiver> {
  const dataDir = await temporaryFolder();
  const lines: LogLine[] = [];
  const receiver = await startReceiver({
    webhooks: testWebhooks(options.webhooks),
    dataDir,
    clock: options.clock ?? systemClock,
    log: options.log ?? collectingLog(lines),
  });
  let closing: Promise<void> | null = null;
  const close = () => (closing ??= receiver.close());
  onTestFinished(close);
  return {
    url: receiver.url,
    port: Number(new URL(receiver.url).port),
    metricsUrl: receiver.metricsUrl ?? '',
    dataDir,
    lines,
    post: (body, headers = {}) =>
      fetch(receiver.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: body as string,
      }),
    storedEvents: () => storedEvents(dataDir),
    close,
  };
}

function testWebhooks(webhooks: Partial<WebhooksConfig> = {}): WebhooksConfig {
  return { ...defaultWebhooks, port: 0, ...webhooks };
}

export function testSecret(value: string): Secret {
  return new Secret('TEST_SECRET', 'jobs.yaml:1: webhooks', value);
}

/** An event that differs from all others by its number. */
export function numberedEvent(n: number): string {
  return JSON.stringify({ type: 'test', data: { n }, createdAt: '2026-11-21T10:00:00Z' });
}

export async function storedEvents(dataDir: string): Promise<unknown[]> {
  const keys = await listEventKeys(dataDir);
  return Promise.all(keys.map(async (key) => (await readEvent(dataDir, key)).body));
}

/** Sends raw bytes, and returns everything that came back until the other side closed. */
export async function sendRaw(port: number, bytes: string | Uint8Array): Promise<string> {
  return untilClosed(openRaw(port, bytes));
}

/** A connection on which `bytes` were sent, and which stays open. */
export function openRaw(port: number, bytes: string | Uint8Array): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => {
    socket.destroy();
  });
  socket.write(bytes);
  return socket;
}

/** Treats a reset connection as ended and returns what came before. */
export function untilClosed(socket: Socket): Promise<string> {
  let text = '';
  // a character for each byte, as lengths count bytes
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => undefined);
  return new Promise((resolve) => socket.on('close', () => resolve(text)));
}

function collectingLog(lines: LogLine[]) {
  const destination = {
    write: (text: string) => {
      const { time, ...line } = JSON.parse(text) as LogLine;
      if (typeof time !== 'string') throw new Error(`a line without a time: ${text}`);
      lines.push(line);
    },
  };
  return createLog({ level: 'debug', format: 'json', color: false, destination });
}
