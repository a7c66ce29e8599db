import type { TryOutcome } from './webhook-receiver.ts';

/** An event as it is sent: of a type that the API documents, or whatever a test wants instead. */
export interface SandboxEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** `kept`: there is no webhook URL to send it to. */
export type DeliveryState = 'kept' | 'pending' | 'delivered' | 'failed';

/** `at` is the machine's time, not the sandbox's. */
export type Attempt = { readonly at: string } & TryOutcome;

/** Pauses after the tries that fail; after the last of them comes one more try. */
const pausesMs = [1_000, 5_000, 30_000, 120_000, 600_000] as const;

/** One copy of an event on its way to the receiver. */
export class Delivery {
  readonly id: number;
  readonly event: SandboxEvent;
  /** `webhook-id`: of the event, the same for its copies and for every try. */
  readonly messageId: string;
  /** 0, and 1 and up for what is sent again on purpose. */
  readonly copy: number;
  readonly attempts: Attempt[] = [];
  state: DeliveryState = 'pending';
  isHeld = false;

  constructor(id: number, event: SandboxEvent, messageId: string, copy: number) {
    this.id = id;
    this.event = event;
    this.messageId = messageId;
    this.copy = copy;
  }

  isPending(): boolean {
    return this.state === 'pending';
  }

  /** Notes a try; from then on it is delivered, failed for good, or waits for the next one. */
  recordAttempt(at: Date, outcome: TryOutcome): void {
    this.attempts.push({ at: at.toISOString(), ...outcome });
    if ('status' in outcome && outcome.status >= 200 && outcome.status < 300) {
      this.state = 'delivered';
    } else if (this.pauseMs === null) {
      this.state = 'failed';
    }
  }

  /** How long to wait before the next try; null when there is none. */
  get pauseMs(): number | null {
    return pausesMs[this.attempts.length - 1] ?? null;
  }
}
