import type { EventText } from '../events/read-event.ts';
import { recordLine } from './record-line.ts';

export type StoreOutcome = 'stored' | 'duplicate';

/** An event on its way to the disk, and its sender's promise. */
export interface WaitingEvent {
  readonly eventKey: string;
  readonly line: Buffer;
  /** Nothing is done when it is settled or has failed already. */
  settle(outcome: StoreOutcome): void;
  /** Likewise. */
  fail(error: Error): void;
}

/** Events in order of arrival, until a group of them is written at once. */
export class GroupQueue {
  #waiting: WaitingEvent[] = [];
  /** Every event that is not on disk yet, those being written among them. */
  readonly #unsettled = new Map<string, Promise<StoreOutcome>>();
  #bytes = 0;

  /** Those being written included. */
  get events(): number {
    return this.#unsettled.size;
  }

  /** Those being written included. */
  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** What becomes of an event of this key that is on its way already. */
  find(eventKey: string): Promise<StoreOutcome> | undefined {
    return this.#unsettled.get(eventKey);
  }

  /** An event whose key is on its way already must not be added again. */
  add(event: EventText, receivedAt: Date): Promise<StoreOutcome> {
    const line = recordLine(event, receivedAt, 'http');
    const outcome = new Promise<StoreOutcome>((resolve, reject) => {
      const { eventKey } = event;
      let isWaiting = true;
      const leave = (answer: () => void) => {
        if (isWaiting) this.#leave(eventKey, line);
        isWaiting = false;
        answer();
      };
      const settle = (result: StoreOutcome) => leave(() => resolve(result));
      const fail = (error: Error) => leave(() => reject(error));
      this.#waiting.push({ eventKey, line, settle, fail });
    });
    this.#unsettled.set(event.eventKey, outcome);
    this.#bytes += line.length;
    return outcome;
  }

  /** The first ones that fit into `bytes`, at least one. */
  takeGroup(bytes: number): WaitingEvent[] {
    let left = bytes - (this.#waiting[0]?.line.length ?? 0);
    let count = 1;
    for (; count < this.#waiting.length; count += 1) {
      left -= this.#waiting[count]?.line.length ?? 0;
      if (left < 0) break;
    }
    return this.#waiting.splice(0, count);
  }

  /** Length of the first one's line. */
  get firstBytes(): number {
    return this.#waiting[0]?.line.length ?? 0;
  }

  #leave(eventKey: string, line: Buffer): void {
    this.#unsettled.delete(eventKey);
    this.#bytes -= line.length;
  }
}
