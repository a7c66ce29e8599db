import fc from 'fast-check';
import { readEvent } from '../../src/inbox/events/read-event.ts';
import type { EventCopy } from '../../src/load/events/judge-event.ts';
import { deletionEvent, inviteEvent } from './inbox-segments.ts';
import { instant } from './made-up-responses.ts';

const time = instant.map((at) => at.toISOString());
const day = fc.constantFrom('2026-01-01', '2026-02-01T10:00:00+14:00', null);
const workspace = fc.constantFrom('acme', 'acme', 'elsewhere').map((slug) => ({ id: 'w', slug }));

const assets = fc.array(fc.record({ id: fc.constantFrom('m1', 'm4'), width: fc.nat(2) }), {
  maxLength: 2,
});

const deletion = fc.record({
  id: fc.constantFrom('p1', 'p2', 'p3'),
  title: fc.constantFrom('A', 'D'),
  status: fc.constantFrom('archived', 'Posted'),
  channels: fc.constantFrom([], ['LinkedIn']),
  url: fc.constantFrom('https://app/1', 'https://app/2'),
  campaign: fc.option(
    fc.oneof(
      fc.record({ id: fc.constantFrom('c1', 'c2'), name: fc.constantFrom('x', 'z') }),
      fc.record({ id: fc.constant('c1'), name: fc.constant('x'), startDate: day, endDate: day }),
    ),
  ),
  labels: fc.array(
    fc.record({
      id: fc.constantFrom('l1', 'l4'),
      name: fc.constantFrom('red', 'grey'),
      color: fc.constantFrom('#000', '#ccc'),
    }),
    { maxLength: 2 },
  ),
  deletedBy: fc.option(fc.record({ id: fc.constant('u'), firstName: fc.constantFrom('A', 'B') })),
  deletedAt: fc.oneof({ weight: 6, arbitrary: time }, fc.constant('soon')),
  linkedIn: fc.option(
    fc.record({ copy: fc.constantFrom('hi', 'last'), assets: fc.option(assets) }),
  ),
  x: fc.option(fc.record({ tweets: fc.array(fc.record({ assets: fc.option(assets) })) })),
  mood: fc.constantFrom('calm', 'grim'),
  workspace,
});

const invitation = fc.record({
  id: fc.constantFrom('i1', 'i2'),
  email: fc.constantFrom('a@b', 'c@d'),
  sentEmail: fc.constantFrom(true, false, 'no'),
  workspace,
});

const event = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({ post: deletion, createdAt: time })
      .map(({ post, createdAt }) => deletionEvent(post, { createdAt })),
  },
  fc
    .record({ invite: invitation, createdAt: time })
    .map(({ invite, createdAt }) => inviteEvent(invite, { createdAt })),
  fc
    .record({ data: fc.record({ post: fc.record({ workspace }) }), createdAt: time })
    .map((envelope) => ({ type: 'post.created', ...envelope })),
);

/** Copies of few events: of each one or more, as several writers may have received and written them. */
export const eventCopies: fc.Arbitrary<EventCopy[]> = fc
  .array(
    fc.record({
      event,
      copies: fc.array(fc.record({ receivedAt: time, isTurned: fc.boolean() }), {
        minLength: 1,
        maxLength: 2,
      }),
    }),
    { maxLength: 5 },
  )
  .map((events) =>
    events.flatMap(({ event: given, copies }) =>
      copies.map(({ receivedAt, isTurned }) => {
        const text = JSON.stringify(isTurned ? turned(given) : given);
        const { eventKey, payload } = readEvent(Buffer.from(text));
        return { eventKey, receivedAt, payload };
      }),
    ),
  );

/** The same value, the keys of its objects in the opposite order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, turned(inner)] as const);
  return Object.fromEntries(entries.reverse());
}
