import { dayMs } from '../../core/calendar.ts';

/** How long what is in the trash stays there (the API's specification, "Limits"). */
const retentionMs = 30 * dayMs;

export interface Overdue {
  readonly id: string;
  /** When its time in the trash was over. */
  readonly deletedAt: Date;
}

/** What is deleted for good when its time is over; each thing at most once. */
export class Trash {
  readonly #archivedAt = new Map<string, Date>();

  get ids(): string[] {
    return [...this.#archivedAt.keys()];
  }

  has(id: string): boolean {
    return this.#archivedAt.has(id);
  }

  /** @returns when it came here first */
  put(id: string, now: Date): Date {
    const archivedAt = this.#archivedAt.get(id) ?? now;
    this.#archivedAt.set(id, archivedAt);
    return archivedAt;
  }

  takeOut(id: string): void {
    this.#archivedAt.delete(id);
  }

  /** What has been here long enough leaves, the earliest first. */
  takeOverdue(now: Date): Overdue[] {
    const overdue = [...this.#archivedAt]
      .map(([id, archivedAt]) => ({ id, deletedAt: new Date(archivedAt.getTime() + retentionMs) }))
      .filter(({ deletedAt }) => deletedAt <= now)
      .sort((one, other) => one.deletedAt.getTime() - other.deletedAt.getTime());
    for (const { id } of overdue) this.takeOut(id);
    return overdue;
  }
}
