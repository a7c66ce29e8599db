import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { runCommand } from './command.ts';
import {
  destinationOf,
  type Delivery,
  type DeliveryRecord,
  type DeliveryTarget,
  type SendOutcome,
} from './delivery.ts';
import { OutboxError, type Outbox } from './outbox.ts';
import { uploadFiles } from './s3.ts';
import { sendMail } from './smtp.ts';

/** The pauses before further attempts within one run. After the last one, the next run tries again. */
const pausesMs = [5_000, 30_000];

interface SendTools {
  /** The SMTP server and the credentials of object storage. */
  readonly config: Pick<Config, 'mail' | 's3'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Returns true if jobs.yaml still has the client and the recipient of the delivery. */
  readonly hasRecipient: (record: DeliveryRecord) => boolean;
}

/**
 * Sends queued deliveries, oldest first, to recipients that jobs.yaml still has, and holds the others. If a
 * server cannot be reached, the next run tries again.
 * @returns the deliveries with their new states
 * @throws InterruptedError when the signal aborts during a pause
 */
export async function sendQueued(outbox: Outbox, tools: SendTools): Promise<Delivery[]> {
  const sent: Delivery[] = [];
  const serverProblems = new Map<string, string>();
  for (const delivery of await outbox.list()) {
    const { target } = delivery.record;
    if (!isDue(delivery, tools) || target === null) continue;
    const server = serverOf(target);
    const known = serverProblems.get(server);
    if (known !== undefined) {
      sent.push(await outbox.set(delivery, 'queued', { reason: known }));
      continue;
    }
    const { after, ofServer } = tools.hasRecipient(delivery.record)
      ? await sendOne(outbox, delivery, target, tools).catch(failDamaged(outbox, delivery))
      : { after: await holdForRecipient(outbox, delivery), ofServer: false };
    logOutcome(after, tools.log);
    sent.push(after);
    if (ofServer) serverProblems.set(server, after.status.reason ?? '');
  }
  return sent;
}

/** Returns true if the delivery is queued, or held for a recipient that jobs.yaml has again. */
function isDue({ record, status }: Delivery, { hasRecipient }: SendTools): boolean {
  if (status.state === 'queued') return true;
  return status.waits_for?.kind === 'recipient' && hasRecipient(record);
}

function holdForRecipient(outbox: Outbox, delivery: Delivery): Promise<Delivery> {
  const { job, client, target } = delivery.record;
  const place = client === null ? `the job ${job}` : `the job ${job} for the client ${client}`;
  const reason = `${destinationOf(target)} is no longer a recipient of ${place} in jobs.yaml; add it again, or run: postledger deliver discard`;
  return outbox.set(delivery, 'held', { reason, waits_for: { kind: 'recipient' } });
}

/** Marks a delivery with damaged files as failed, so that the others are still sent. */
function failDamaged(outbox: Outbox, delivery: Delivery) {
  return async (error: unknown) => {
    if (!(error instanceof OutboxError)) throw error;
    const after = await outbox.set(delivery, 'failed', { reason: error.message });
    return { after, ofServer: false };
  };
}

/** Returns a key that deliveries to the same server share. */
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
      current = await outbox.set(current, 'sending', { is_transmitting: true });
    });
    const after = await outbox.set(current, outcome.state, { reason: outcome.reason });
    const ofServer = outcome.state === 'queued' && outcome.ofServer;
    const pauseMs = pausesMs[attempt];
    if (outcome.state !== 'queued' || pauseMs === undefined) return { after, ofServer };
    delivery = after;
    await tools.clock.sleep(pauseMs, tools.signal);
  }
}

/**
 * Tries once to send a delivery.
 * @param onTransmit is awaited before anything is done that cannot be done twice
 */
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
        return { state: 'queued', reason: 'jobs.yaml has no mail server', ofServer: true };
      const message = files[0]?.content ?? new Uint8Array();
      return sendMail(mail, target.address, message, onTransmit);
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
  else if (state === 'held') log.warn({ id }, `held: ${words}: ${reason} ${id}`);
  else
    log.warn(
      { id },
      `may have been sent: ${words}: ${reason}; if it has not arrived: postledger deliver retry ${id}, else: discard`,
    );
}
