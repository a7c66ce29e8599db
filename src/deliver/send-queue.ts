import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { InterruptedError } from '../core/errors.ts';
import type { Lock } from '../core/lock.ts';
import type { Log } from '../core/log.ts';
import { runCommand } from './command.ts';
import {
  destinationOf,
  withoutFiles,
  type Delivery,
  type DeliveryRecord,
  type DeliveryTarget,
  type SendOutcome,
} from './delivery.ts';
import { OutboxError, readOutbox, type Outbox, type OutboxFile } from './outbox.ts';
import { uploadFiles } from './s3.ts';
import { sendMail } from './smtp.ts';

/** The pauses before further attempts within one run. After the last one, the next run tries again. */
const pausesMs = [5_000, 30_000];
/** A delivery of another process is looked at this often, with these pauses, before its server counts as silent. */
const looks = { count: 30, pauseMs: 500 };

interface SendTools {
  /** The SMTP server and the credentials of object storage. */
  readonly config: Pick<Config, 'dataDir' | 'mail' | 's3'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Returns true if jobs.yaml still has the client and the recipient of the delivery. */
  readonly hasRecipient: (record: DeliveryRecord) => boolean;
  /** Does the work while no other process changes a delivery. */
  readonly withOutbox: <Result>(work: (outbox: Outbox) => Promise<Result>) => Promise<Result>;
}

/** A delivery whose lock this process holds, and its files. */
interface Claim {
  readonly delivery: Delivery;
  readonly target: DeliveryTarget;
  readonly files: readonly OutboxFile[];
  readonly folder: string;
  readonly lock: Lock;
}

/** What comes next in the queue. */
type Next =
  | { readonly claim: Claim }
  /** It is not sent. `isNews` is false if nothing new is known. */
  | { readonly after: Delivery; readonly isNews: boolean }
  /** Another process sends this one to a server of which nothing is known yet. */
  | { readonly rival: Delivery; readonly server: string };

/**
 * Sends queued deliveries, oldest first, to recipients that jobs.yaml still has, and holds the others. If a
 * server cannot be reached, the next run tries again. What another process is sending is left to it.
 * @returns the deliveries with their new states
 * @throws InterruptedError when the signal aborts
 */
export async function sendQueued(tools: SendTools): Promise<Delivery[]> {
  const queue = new Queue(tools);
  const sent: Delivery[] = [];
  for (;;) {
    const next = await tools.withOutbox((outbox) => queue.next(outbox));
    if (next === null) return sent;
    if ('rival' in next) {
      await queue.watch(next);
      continue;
    }
    const { after, isNews = true } = 'claim' in next ? await queue.send(next.claim) : next;
    if (isNews) logOutcome(after, tools.log);
    sent.push(after);
  }
}

class Queue {
  readonly #tools: SendTools;
  /** The ids of the deliveries that this run has seen to. */
  readonly #done = new Set<string>();
  /** Each server has the reason why it is not tried again in this run, or null if it answers. */
  readonly #servers = new Map<string, string | null>();

  constructor(tools: SendTools) {
    this.#tools = tools;
  }

  /** Takes the next delivery. @returns null if there is none */
  async next(outbox: Outbox): Promise<Next | null> {
    const all = await outbox.list();
    for (const delivery of all) {
      const { id, target } = delivery.record;
      if (this.#done.has(id) || !isDue(delivery, this.#tools) || target === null) continue;
      if (this.#tools.signal.aborted) throw new InterruptedError('stopped while sending reports');
      const server = serverOf(target);
      const rival = all.find(
        ({ record, status }) =>
          status.state === 'sending' && record.target && serverOf(record.target) === server,
      );
      if (rival && target.kind === 'mail' && !this.#servers.has(server)) return { rival, server };
      this.#done.add(id);
      const problem = this.#servers.get(server) ?? null;
      if (problem !== null)
        return {
          after: await outbox.set(delivery, 'queued', { reason: problem }),
          isNews: false,
        };
      if (!this.#tools.hasRecipient(delivery.record))
        return { after: await holdForRecipient(outbox, delivery), isNews: true };
      const claimed = await claim(outbox, delivery, target);
      if (claimed) return claimed;
    }
    return null;
  }

  /** Waits until the delivery of another process moves. If it does not, its server counts as silent. */
  async watch({ rival, server }: Extract<Next, { rival: Delivery }>): Promise<void> {
    const { config, clock, signal } = this.#tools;
    for (let look = 0; look < looks.count; look += 1) {
      await clock.sleep(looks.pauseMs, signal);
      const now = (await readOutbox(config.dataDir)).find(
        ({ record }) => record.id === rival.record.id,
      );
      if (JSON.stringify(now?.status) === JSON.stringify(rival.status)) continue;
      this.#servers.set(server, null);
      return;
    }
    const { changed_at: since } = rival.status;
    this.#servers.set(
      server,
      `another process has waited for the answer of this server since ${since}`,
    );
  }

  /** Sends a delivery, with further attempts after pauses. */
  async send(first: Claim): Promise<{ after: Delivery; isNews?: boolean }> {
    const { withOutbox, clock, signal } = this.#tools;
    const { record } = first.delivery;
    for (let current = first, attempt = 0; ; attempt += 1) {
      const pauseMs = pausesMs[attempt];
      const { after, outcome } = await attemptSend(current, pauseMs === undefined, this.#tools);
      const isOver =
        outcome.state !== 'queued' || outcome.isSilent === true || pauseMs === undefined;
      if (isOver) {
        const problem = serverProblem(outcome, record.id);
        if (problem !== null) this.#servers.set(serverOf(current.target), problem);
        return { after };
      }
      await clock.sleep(pauseMs, signal);
      const next = await withOutbox(async (outbox) => {
        const delivery = await outbox.find(record.id);
        const isStillDue = delivery !== null && isDue(delivery, this.#tools);
        return isStillDue ? claim(outbox, delivery, current.target) : null;
      });
      // another process has seen to it during the pause
      if (next === null) return { after, isNews: false };
      if ('after' in next) return next;
      current = next.claim;
    }
  }
}

/** Says why the server of a delivery is not tried again in this run. Returns null if it is. */
function serverProblem(outcome: SendOutcome, id: string): string | null {
  if (outcome.state === 'queued')
    return outcome.ofServer || outcome.isSilent === true ? outcome.reason : null;
  return outcome.isSilent === true ? `the server did not answer ${id} in time` : null;
}

/**
 * Takes the lock of a delivery and marks it as being sent. One with damaged files fails, so that the others are still
 * sent.
 * @returns null if another process is sending it
 */
async function claim(
  outbox: Outbox,
  delivery: Delivery,
  target: DeliveryTarget,
): Promise<Exclude<Next, { rival: Delivery }> | null> {
  const { record } = delivery;
  const lock = await outbox.lock(record.id);
  if (lock === null) return null;
  try {
    const files = await outbox.read(record);
    const sending = await outbox.set(delivery, 'sending');
    return { claim: { delivery: sending, target, files, folder: outbox.filesOf(record), lock } };
  } catch (error) {
    await lock.release();
    if (!(error instanceof OutboxError)) throw error;
    return { after: await outbox.set(delivery, 'failed', { reason: error.message }), isNews: true };
  }
}

/** Returns true if the delivery is queued, or held for a recipient that jobs.yaml has again. */
function isDue({ record, status }: Delivery, { hasRecipient }: SendTools): boolean {
  if (status.state === 'queued') return true;
  return status.waits_for?.kind === 'recipient' && hasRecipient(record);
}

function holdForRecipient(outbox: Outbox, delivery: Delivery): Promise<Delivery> {
  const { job, client, target } = delivery.record;
  const jobText = client === null ? `the job ${job}` : `the job ${job} for the client ${client}`;
  const reason = `${destinationOf(target)} is no longer a recipient of ${jobText} in jobs.yaml; add it again, or run: postledger deliver discard`;
  return outbox.set(delivery, 'held', { reason, waits_for: { kind: 'recipient' } });
}

/** Returns a key that deliveries to the same server share. */
function serverOf(target: DeliveryTarget): string {
  return target.kind === 's3' ? `s3 ${target.endpoint ?? ''}` : target.kind;
}

/**
 * Tries once to send a delivery, records the outcome, and releases its lock.
 * @param isLast false if it is tried again after a pause
 */
async function attemptSend(
  { delivery, target, files, folder, lock }: Claim,
  isLast: boolean,
  tools: SendTools,
): Promise<{ after: Delivery; outcome: SendOutcome }> {
  const { withOutbox } = tools;
  let current = delivery;
  /** The caller awaits it before anything is done that cannot be done twice, and after that proves to have done nothing. */
  const mark = async (isTransmitting: boolean) => {
    current = await withOutbox((outbox) =>
      outbox.set(current, 'sending', { is_transmitting: isTransmitting }),
    );
  };
  try {
    const outcome = await transmit(delivery.record, target, { files, folder, mark, isLast }, tools);
    const { state, reason } = outcome;
    const leftOut = target.kind === 'mail' && state === 'sent' && outcome.isWithoutFiles === true;
    const change = { reason, ...(leftOut && { left_out: target.attached }) };
    const after = await withOutbox((outbox) => outbox.set(current, state, change));
    return { after, outcome };
  } finally {
    await lock.release();
  }
}

interface Transmission extends Pick<Claim, 'files' | 'folder'> {
  readonly mark: (isTransmitting: boolean) => Promise<void>;
  readonly isLast: boolean;
}

async function transmit(
  record: DeliveryRecord,
  target: DeliveryTarget,
  { files, folder, mark, isLast }: Transmission,
  { config: { mail, s3 }, clock, signal }: SendTools,
): Promise<SendOutcome> {
  switch (target.kind) {
    case 'mail':
      if (mail === null)
        return { state: 'queued', reason: 'jobs.yaml has no mail server', ofServer: true };
      return sendMail(mail, target.address, files, { clock, signal, mark, isLast });
    case 's3':
      return uploadFiles(target, record, files, { credentials: s3, signal });
    case 'command':
      await mark(true);
      return runCommand(target.command, folder, signal);
  }
}

function logOutcome({ record, status }: Delivery, log: Log): void {
  const { report, target, id } = record;
  const { state, reason } = status;
  const words = `${report} to ${destinationOf(target)}`;
  if (status.left_out) log.warn({ id }, `sent ${words}${withoutFiles(status)}: ${reason}`);
  else if (state === 'sent') log.info({ id }, `sent ${words}`);
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
