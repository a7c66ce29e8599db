import type { Config } from '../../src/config/config.ts';
import { eventKey, storeEvent } from '../../src/store/event-store.ts';

/** Puts events into the raw store. Texts are stored as they are. @returns their keys */
export async function storeEvents(
  { dataDir }: Pick<Config, 'dataDir'>,
  events: readonly (object | string)[],
  { receivedAt = '2026-01-20T10:00:00.500Z' } = {},
): Promise<string[]> {
  const keys: string[] = [];
  for (const event of events) {
    const bodyText = typeof event === 'string' ? event : JSON.stringify(event);
    const key = eventKey(JSON.parse(bodyText));
    await storeEvent(dataDir, { key, bodyText, receivedAt: new Date(receivedAt), via: 'http' });
    keys.push(key);
  }
  return keys;
}

/** The event of a post's deletion, with every field of the documentation. */
export function deletionEvent(change: object = {}, envelope: object = {}): object {
  return {
    type: 'post.permanently_deleted',
    createdAt: '2026-01-19T09:00:01.000Z',
    data: {
      post: {
        id: 'p1',
        title: 'Deleted',
        status: 'archived',
        channels: ['LinkedIn'],
        campaign: { id: 'c1', name: 'Spring', startDate: '2026-01-01', endDate: '2026-03-31' },
        url: 'https://app/p1-deleted',
        labels: [{ id: 'l9', name: 'nine', color: '#999999', backgroundColor: '#dddddd' }],
        workspace: { id: 'w1', slug: 'acme', name: 'Acme' },
        deletedBy: { id: 'u1', firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' },
        deletedAt: '2026-01-19T09:00:00.000Z',
        linkedIn: null,
        x: null,
        ...change,
      },
    },
    ...envelope,
  };
}

/** The event of an invitation, with every field of the documentation. */
export function inviteEvent(change: object = {}, envelope: object = {}): object {
  return {
    type: 'invite.created',
    createdAt: '2026-01-18T08:00:01.000Z',
    data: {
      invite: {
        id: 'i1',
        email: 'new@example.com',
        createdAt: '2026-01-18T08:00:00.000Z',
        invitedBy: { id: 'u1', firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' },
        workspace: { id: 'w1', slug: 'acme', name: 'Acme' },
        sentEmail: true,
        ...change,
      },
    },
    ...envelope,
  };
}
