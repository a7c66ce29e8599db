import { randomBytes } from 'node:crypto';
import { defaultWebhooks } from '../config/config.ts';
import { Secret } from '../config/secret.ts';
import type { Clock } from '../core/clock.ts';
import { silentLog } from '../core/log.ts';
import { startReceiver, type Receiver } from '../webhooks/receiver.ts';
import type { WebhookAddress } from '../sandbox/events/webhook-receiver.ts';

export interface DemoReceiver {
  readonly receiver: Receiver;
  /** What the sandbox needs to send events to it. */
  readonly address: WebhookAddress;
}

/** A receiver of events on any free port, behind a token of its own. */
export async function startDemoReceiver(dataDir: string, clock: Clock): Promise<DemoReceiver> {
  const token = randomBytes(16).toString('hex');
  const receiver = await startReceiver({
    webhooks: {
      ...defaultWebhooks,
      port: 0,
      tokens: [new Secret('DEMO_TOKEN', 'the demo', token)],
    },
    dataDir,
    clock,
    log: silentLog,
  });
  return { receiver, address: { url: new URL(receiver.url), token } };
}
