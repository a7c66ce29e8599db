import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEvent, type EventText } from '../../src/inbox/events/read-event.ts';
import { UnfitEventError } from '../../src/inbox/events/unfit-event-error.ts';
import type { EventCopy } from '../../src/load/events/judge-event.ts';
import { mergeEvents } from '../../src/load/events/merge-events.ts';
import { beginMerging } from '../../src/load/merge-batch.ts';
import { Database } from '../../src/warehouse/database.ts';
import { migrate } from '../../src/warehouse/schema.ts';
import { assertHolds, fuzzTimeoutMs } from '../support/fuzz.ts';
import { harshValue, objectNear } from '../support/harsh-json.ts';
import { deletionEvent, inviteEvent } from '../support/inbox-segments.ts';
import { hand, treeOf, treeWith, writeTree, type JsonTree } from '../support/json-tree.ts';
import { configOf, load, rowsOf } from '../support/landed-run.ts';
import { asBytes, mutated } from '../support/mutated-text.ts';
import { startTestReceiver } from '../support/receiver.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Members = Record<string, JsonTree>;

const usual = [
  deletionEvent(),
  inviteEvent(),
  { type: 'post.created', createdAt: '2026-01-01T00:00:00Z', data: {} },
];
/** Members of an event's subject, and of its parts. */
const place = fc.constantFrom(
  ...[
    'id',
    'title',
    'status',
    'channels',
    'campaign',
    'labels',
    'workspace',
    'deletedBy',
    'deletedAt',
  ],
  ...['linkedIn', 'x', 'email', 'createdAt', 'invitedBy', 'sentEmail', 'mood', '__proto__'],
);
const value = treeWith(harshValue.filter(hasUniqueKeys));
const changes = fc.dictionary(place, value, { maxKeys: 2 });
const subject = fc
  .record({ isInvite: fc.boolean(), changes })
  .map(({ isInvite, changes: given }) => {
    const [name, event] = isInvite ? ['invite', inviteEvent()] : ['post', deletionEvent()];
    return withMembers(treeOf(event), ['data', name], given);
  });
const envelope = fc
  .dictionary(fc.constantFrom('type', 'createdAt', 'data', 'id'), value, { maxKeys: 2 })
  .chain((given) =>
    fc.constantFrom(...usual).map((event) => withMembers(treeOf(event), [], given)),
  );
const event = fc.oneof({ weight: 4, arbitrary: subject }, envelope);

function hasUniqueKeys(text: string): boolean {
  return isEvent(`{"type":"t","createdAt":"2026-01-01T00:00:00Z","data":{"v":${text}}}`);
}

function withMembers(tree: JsonTree, path: readonly string[], changed: Members): JsonTree {
  if (!('members' in tree)) return tree;
  const [name, ...rest] = path;
  if (name === undefined) return { members: { ...tree.members, ...changed } };
  const inner = tree.members[name] ?? { members: {} };
  return { members: { ...tree.members, [name]: withMembers(inner, rest, changed) } };
}

/** Null for what is no event. */
function readOrNull(body: string | Uint8Array): EventText | null {
  try {
    return readEvent(Buffer.from(body));
  } catch (error) {
    expect(error).toBeInstanceOf(UnfitEventError);
    return null;
  }
}

function isEvent(text: string): boolean {
  return readOrNull(text) !== null;
}

test(
  'an event has one key however it is written, and its stored form has it too',
  async () => {
    await assertHolds(
      fc.asyncProperty(event, hand, hand, async (tree, one, other) => {
        const read = readOrNull(writeTree(tree, one));
        const again = readOrNull(writeTree(tree, other));
        expect(again?.eventKey).toBe(read?.eventKey);
        if (read === null) return Promise.resolve();
        expect(readOrNull(read.payload)).toEqual(read);
        expect(read.payload).not.toMatch(/[\n\r]/);
        return Promise.resolve();
      }),
      1_000,
    );
  },
  fuzzTimeoutMs,
);

const fragment = fc.oneof(
  harshValue,
  fc.constantFrom('"', '\\', ',', '{', '}', '[', ']', ':', '\\u', '\n'),
);
const body = fc.oneof(
  asBytes(
    mutated(
      usual.map((each) => JSON.stringify(each)),
      fragment,
    ),
  ),
  fc.record({ event, hand }).map((given) => Buffer.from(writeTree(given.event, given.hand))),
  objectNear({ ...usual[0] }).map((text) => Buffer.from(text)),
);

test(
  'whatever is sent is stored or refused with a reason, and what is stored has an outcome once it is loaded',
  async () => {
    const receiver = await startTestReceiver();
    const stored = new Set<string>();
    await assertHolds(
      fc.asyncProperty(body, async (bytes) => {
        const answer = await receiver.post(bytes);
        const told: unknown = await answer.json();
        const read = readOrNull(bytes);
        if (read === null) {
          expect(answer.status).toBe(400);
          expect(told).toMatchObject({
            code: 'BAD_REQUEST',
            data: { errors: expect.anything() as unknown },
          });
          return;
        }
        const isNew = !stored.has(read.eventKey);
        stored.add(read.eventKey);
        expect([answer.status, told]).toEqual(
          isNew ? [202, { status: 'stored' }] : [200, { status: 'duplicate' }],
        );
      }),
      300,
    );
    await receiver.close();
    const config = configOf(await temporaryFolder(), { dataDir: receiver.dataDir });
    const { events } = await load(config);
    expect(events).toMatchObject({ repeats: 0, damaged: 0 });
    expect(events.applied + events.kept + events.rejected).toBe(stored.size);
    const rows = await rowsOf(
      config,
      'select event_key from webhook_events where (reason is null) = (outcome = $$applied$$)',
    );
    expect(new Set(rows.map(({ event_key: key }) => key))).toEqual(stored);
    expect(await load(config)).toMatchObject({ isPublished: false });
  },
  fuzzTimeoutMs,
);

const copies = fc
  .array(fc.record({ event, hand, hour: fc.integer({ min: 10, max: 23 }) }), {
    minLength: 1,
    maxLength: 25,
  })
  .map((given) =>
    given.flatMap(({ event: tree, hand: how, hour }): EventCopy[] => {
      const read = readOrNull(writeTree(tree, how));
      return read === null ? [] : [{ ...read, receivedAt: `2026-01-20T${hour}:00:00.000Z` }];
    }),
  );

test(
  'odd events give the same tables in one batch as in pieces and from the last to the first',
  async () => {
    await assertHolds(
      fc.asyncProperty(copies, fc.nat(25), async (given, cut) => {
        const atOnce = await tablesOf([given]);
        const back = given.toReversed();
        expect(await tablesOf([back.slice(0, cut), back.slice(cut), given.slice(cut)])).toEqual(
          atOnce,
        );
      }),
      5,
    );
  },
  fuzzTimeoutMs,
);

async function tablesOf(batches: readonly (readonly EventCopy[])[]): Promise<unknown> {
  const folder = await temporaryFolder();
  const database = await Database.open(':memory:', 'READ_WRITE', { threads: '1' });
  try {
    await migrate(database);
    const space = { database, folder, isUpgraded: false, commitSoFar: () => Promise.resolve() };
    await beginMerging(space);
    for (const batch of batches) await mergeEvents(space, batch, new Map([['acme', 'acme']]));
    const tables = [
      'webhook_events',
      'posts',
      'labels',
      'post_labels',
      'campaigns',
      'assets',
      'invites',
    ];
    const dump: unknown[] = [];
    for (const table of tables)
      dump.push((await database.query(`from ${table} order by all`)).rows);
    return dump;
  } finally {
    database.close();
  }
}
