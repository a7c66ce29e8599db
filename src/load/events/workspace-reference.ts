import { name, object, optionalText } from './event-schemas.ts';
import { fieldOf } from '../../core/own-field.ts';

/** As events of the known types have to name it. */
export const workspaceSchema = object({ id: name, slug: name, name: optionalText });

interface WorkspaceReference {
  readonly id: string | null;
  readonly slug: string | null;
}

/**
 * The workspace that an event names, of whatever type it is: that of its subject, else `data.workspace`,
 * else the first `workspace` of anything in its data, by name.
 * @param subject the field of the data that the event is of, where its type is known
 */
export function findWorkspace(data: unknown, subject: string | undefined): WorkspaceReference {
  const keys = typeof data === 'object' && data !== null ? Object.keys(data).sort() : [];
  const others = [data, ...keys.map((key) => fieldOf(data, key))];
  const places = subject === undefined ? others : [fieldOf(data, subject), ...others];
  const found = places.map(referenceIn).find(({ id, slug }) => id !== null || slug !== null);
  return found ?? { id: null, slug: null };
}

function referenceIn(place: unknown): WorkspaceReference {
  const workspace = fieldOf(place, 'workspace');
  return { id: nameOf(fieldOf(workspace, 'id')), slug: nameOf(fieldOf(workspace, 'slug')) };
}

function nameOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
