import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../src/config/config.ts';
import { readEvent } from '../../src/inbox/events/read-event.ts';
import { inboxFolder } from '../../src/inbox/spool/layout.ts';
import { recordLine } from '../../src/inbox/spool/record-line.ts';
import { SegmentNames } from '../../src/inbox/spool/segment-name.ts';

const names = new SegmentNames();

export interface SpoolOptions {
  readonly receivedAt?: string;
  readonly via?: 'http' | 'ingest';
  readonly suffix?: '.ndjson' | '.open';
}

/** Puts events into the inbox, as one segment. Texts are sent as they are. @returns the segment's path */
export async function spoolEvents(
  config: Pick<Config, 'dataDir'>,
  events: readonly (object | string)[],
  options: SpoolOptions = {},
): Promise<string> {
  const { receivedAt = '2026-01-20T10:00:00.500Z', via = 'http', suffix = '.ndjson' } = options;
  const lines = events.map((event) => {
    const text = typeof event === 'string' ? event : JSON.stringify(event);
    return recordLine(readEvent(Buffer.from(text)), new Date(receivedAt), via);
  });
  return writeSegment(config, Buffer.concat(lines), suffix);
}

/** Puts a segment of these bytes into the inbox. @returns its path */
export async function writeSegment(
  { dataDir }: Pick<Config, 'dataDir'>,
  bytes: Uint8Array | string,
  suffix = '.ndjson',
): Promise<string> {
  const path = join(inboxFolder(dataDir), names.next(new Date('2026-01-20T10:00:00Z')) + suffix);
  await mkdir(inboxFolder(dataDir), { recursive: true });
  await writeFile(path, bytes);
  return path;
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
