import type { MailConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { addressOf } from './mail-message.ts';
import { OutboxError, type Delivery, type Outbox } from './outbox.ts';
import { sendMail } from './smtp.ts';

/** How long it waits before another try, in one run; then the next run tries. */
const pausesMs = [5_000, 30_000];

interface SendTools {
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Sends what is queued, oldest first. A server that cannot be reached is tried again by the next run.
 * @returns what became of each
 * @throws InterruptedError when the signal aborts while it waits
 */
export async function sendQueued(
  outbox: Outbox,
  mail: MailConfig,
  tools: SendTools,
): Promise<Delivery[]> {
  const sent: Delivery[] = [];
  let serverProblem: string | null = null;
  for (const delivery of await outbox.list()) {
    if (delivery.status.state !== 'queued') continue;
    if (serverProblem !== null) {
      sent.push(await outbox.set(delivery, 'queued', serverProblem));
      continue;
    }
    const { after, ofServer } = await sendOne(outbox, delivery, mail, tools).catch(
      async (error: unknown) => {
        if (!(error instanceof OutboxError)) throw error;
        return { after: await outbox.set(delivery, 'failed', error.message), ofServer: false };
      },
    );
    logOutcome(after, tools.log);
    sent.push(after);
    if (ofServer) serverProblem = after.status.reason;
  }
  return sent;
}

async function sendOne(
  outbox: Outbox,
  delivery: Delivery,
  mail: MailConfig,
  { clock, signal }: SendTools,
): Promise<{ after: Delivery; ofServer: boolean }> {
  const message = await outbox.message(delivery.record);
  const envelope = { from: addressOf(mail.from), to: delivery.record.address };
  for (let attempt = 0; ; attempt += 1) {
    let current = await outbox.set(delivery, 'sending');
    const outcome = await sendMail(mail, envelope, message, async () => {
      current = await outbox.set(current, 'transmitting');
    });
    const after = await outbox.set(current, outcome.state, outcome.reason);
    const ofServer = outcome.state === 'queued' && outcome.ofServer;
    const pauseMs = pausesMs[attempt];
    if (outcome.state !== 'queued' || pauseMs === undefined) return { after, ofServer };
    delivery = after;
    await clock.sleep(pauseMs, signal);
  }
}

function logOutcome({ record, status }: Delivery, log: Log): void {
  const { report, address, id } = record;
  const { state, reason } = status;
  const words = `${report} to ${address}`;
  if (state === 'sent') log.info({ id }, `sent ${words}`);
  else if (state === 'queued')
    log.warn({ id }, `not sent yet: ${words}: ${reason}; the next run tries again`);
  else if (state === 'failed') log.warn({ id }, `refused: ${words}: ${reason}`);
  else
    log.warn(
      { id },
      `may have been sent: ${words}: ${reason}; ask ${address}, then run: postledger deliver retry (or discard) ${id}`,
    );
}
