import type { ArchivedIdea } from '../../api/schemas/ideas.ts';
import { sandboxUuid } from '../identity.ts';
import { notFound } from '../refusal.ts';
import { Trash } from './trash.ts';

const ideaCount = 24;

/** The ideas of the workspace; archived ones are in the trash. */
export class IdeaBook {
  readonly #workspaceId: string;
  readonly #ids: Set<string>;
  readonly #trash = new Trash();

  constructor(seed: number, workspaceId: string) {
    this.#workspaceId = workspaceId;
    this.#ids = new Set(Array.from({ length: ideaCount }, (_, n) => sandboxUuid(seed, 'idea', n)));
  }

  get activeIds(): string[] {
    return [...this.#ids].filter((id) => !this.#trash.has(id));
  }

  get archivedIds(): string[] {
    return this.#trash.ids;
  }

  /** One that is archived already stays so since then. */
  archive(id: string, now: Date): ArchivedIdea {
    this.#check(id);
    const archivedAt = this.#trash.put(id, now).toISOString();
    return { id, workspaceId: this.#workspaceId, archivedAt };
  }

  restore(id: string): void {
    this.#check(id);
    this.#trash.takeOut(id);
  }

  deleteOverdue(now: Date): void {
    for (const { id } of this.#trash.takeOverdue(now)) this.#ids.delete(id);
  }

  /** @throws HTTPException 404 for an idea that does not exist, or not any more */
  #check(id: string): void {
    if (!this.#ids.has(id)) throw notFound('Idea not found');
  }
}
