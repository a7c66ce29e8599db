import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { runCommand } from './command.ts';
import { addressOf } from './mail-message.ts';
import {
  destinationOf,
  OutboxError,
  type Delivery,
  type DeliveryTarget,
  type Outbox,
  type SendOutcome,
} from './outbox.ts';
import { uploadFiles } from './s3.ts';
import { sendMail } from './smtp.ts';

/** How long it waits before another try, in one run; then the next run tries. */
const pausesMs = [5_000, 30_000];

interface SendTools {
  /** The SMTP server, and the keys of object storage. */
  readonly config: Pick<Config, 'mail' | 's3'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Sends what is queued, oldest first. A server that cannot be reached is tried again by the next run.
 * @returns what became of each
 * @throws InterruptedError when the signal aborts while it waits
 */
export async function sendQueued(outbox: Outbox, tools: SendTools): Promise<Delivery[]> {
  const sent: Delivery[] = [];
  const serverProblems = new Map<string, string>();
  for (const delivery of await outbox.list()) {
    const { target } = delivery.record;
    if (delivery.status.state !== 'queued' || target === null) continue;
    const server = serverOf(target);
    const known = serverProblems.get(server);
    if (known !== undefined) {
      sent.push(await outbox.set(delivery, 'queued', known));
      continue;
    }
    const { after, ofServer } = await sendOne(outbox, delivery, target, tools).catch(
      async (error: unknown) => {
        if (!(error instanceof OutboxError)) throw error;
        return { after: await outbox.set(delivery, 'failed', error.message), ofServer: false };
      },
    );
    logOutcome(after, tools.log);
    sent.push(after);
    if (ofServer) serverProblems.set(server, after.status.reason ?? '');
  }
  return sent;
}

/** The same for deliveries that one server takes. */
function serverOf(target: DeliveryTarget): string {
  return target.kind === 's3' ? `s3 ${target.endpoint ?? ''}` : target.kind;
}

async function sendOne(
  outbox: Outbox,
  delivery: Delivery,
  target: DeliveryTarget,
  tools: SendTools,
): Promise<{ after: Delivery; ofServer: boolean }> {
  for (let attempt = 0; ; attempt += 1) {
    let current = await outbox.set(delivery, 'sending');
    const outcome = await attemptSend(outbox, current, target, tools, async () => {
      current = await outbox.set(current, 'transmitting');
    });
    const after = await outbox.set(current, outcome.state, outcome.reason);
    const ofServer = outcome.state === 'queued' && outcome.ofServer;
    const pauseMs = pausesMs[attempt];
    if (outcome.state !== 'queued' || pauseMs === undefined) return { after, ofServer };
    delivery = after;
    await tools.clock.sleep(pauseMs, tools.signal);
  }
}

/** @param onTransmit is awaited before anything is done that cannot be done twice */
async function attemptSend(
  outbox: Outbox,
  { record }: Delivery,
  target: DeliveryTarget,
  { config: { mail, s3 }, signal }: SendTools,
  onTransmit: () => Promise<void>,
): Promise<SendOutcome> {
  const files = await outbox.read(record);
  switch (target.kind) {
    case 'mail': {
      if (mail === null)
        return { state: 'queued', reason: 'there is no mail in jobs.yaml', ofServer: true };
      const message = files[0]?.content ?? new Uint8Array();
      const envelope = { from: addressOf(mail.from), to: target.address };
      return sendMail(mail, envelope, message, onTransmit);
    }
    case 's3':
      return uploadFiles(target, record, files, { credentials: s3, signal });
    case 'command':
      await onTransmit();
      return runCommand(target.command, outbox.filesOf(record), signal);
  }
}

function logOutcome({ record, status }: Delivery, log: Log): void {
  const { report, target, id } = record;
  const { state, reason } = status;
  const words = `${report} to ${destinationOf(target)}`;
  if (state === 'sent') log.info({ id }, `sent ${words}`);
  else if (state === 'queued')
    log.warn({ id }, `not sent yet: ${words}: ${reason}; the next run tries again`);
  else if (state === 'failed') log.warn({ id }, `refused: ${words}: ${reason}`);
  else
    log.warn(
      { id },
      `may have been sent: ${words}: ${reason}; ask whether it arrived, then run: postledger deliver retry (or discard) ${id}`,
    );
}
