import { describe, expect, it } from 'vitest';
import { listing } from '../../src/commands/listing.ts';
import { eventListing, parseExactly } from '../../src/commands/webhooks-list.ts';
import { terminalWidth } from '../../src/core/terminal-width.ts';
import type { ReceivedEvent } from '../../src/status/received-events.ts';
import { hostileText, terminal } from './terminal.ts';

function received(change: Partial<ReceivedEvent> = {}, data: object = {}): ReceivedEvent {
  return {
    event_key: '0123456789abcdef'.repeat(4),
    type: 'invite.created',
    created_at: '2026-01-14T22:59:00Z',
    received_at: '2026-01-14T23:00:00Z',
    workspace_id: 'w1',
    workspace_slug: 'acme-inc',
    workspace: 'acme',
    outcome: 'applied',
    reason: null,
    payload: JSON.stringify({ data: { invite: { email: 'ada@example.com' }, ...data } }),
    ...change,
  };
}

function view(events: readonly ReceivedEvent[], width: number): string {
  return listing(eventListing(events, 'Europe/Berlin'), terminal({ width }));
}

const removal = received(
  {
    type: 'post.permanently_deleted',
    workspace: null,
    outcome: 'kept',
    reason: 'the workspace "acme-inc" is not configured',
  },
  { post: { title: 'Spring launch' } },
);

describe('received events on a terminal', () => {
  it('are a table if it fits, in local time', () => {
    const unknown = received({
      type: 'x',
      workspace: null,
      workspace_slug: null,
      workspace_id: null,
      outcome: 'pending',
      payload: '{"data":{}}',
    });
    expect(view([removal, received(), unknown], 170).split('\n')).toEqual([
      'Received                 Type                      Workspace  What             Outcome  Reason                                      Key',
      '───────────────────────  ────────────────────────  ─────────  ───────────────  ───────  ──────────────────────────────────────────  ────────────',
      '2026-01-15 00:00 +01:00  post.permanently_deleted  acme-inc   Spring launch    kept     the workspace "acme-inc" is not configured  0123456789ab',
      '2026-01-15 00:00 +01:00  invite.created            acme       ada@example.com  applied  –                                           0123456789ab',
      '2026-01-15 00:00 +01:00  x                         –          –                pending  –                                           0123456789ab',
    ]);
  });

  it('fit into the terminal and contain no control sequences, whatever their senders wrote', () => {
    const wild = received(
      { type: hostileText, workspace: null, workspace_slug: hostileText, reason: hostileText },
      { post: { title: `${hostileText}\n${'wide 漢字 '.repeat(50)}` } },
    );
    for (const width of [40, 80, 200]) {
      const shown = view([wild], width);
      expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
      expect(Math.max(...shown.split('\n').map(terminalWidth))).toBeLessThanOrEqual(width);
    }
  });

  it.each([
    'null',
    '{"data":{"post":{"title":7},"invite":null}}',
    '{"data":{"post":{"title":" "}}}',
  ])('have no subject where the payload is %s', (payload) => {
    expect(view([received({ payload })], 60)).not.toContain('What');
  });
});

describe('exact JSON', () => {
  it.each([
    ['9007199254740991', 9007199254740991],
    ['-9007199254740992', '-9007199254740992'],
    ['0.1', 0.1],
    ['1e3', 1000],
    ['1e999', '1e999'],
    ['"9007199254740993 \\" 9007199254740993 \\\\"', '9007199254740993 " 9007199254740993 \\'],
    [
      '[{"9007199254740993":[9007199254740993,1]}]',
      [{ '9007199254740993': ['9007199254740993', 1] }],
    ],
  ])('takes %s for a number, or for its text where a number would not be exact', (text, value) => {
    expect(parseExactly(text)).toEqual(value);
  });
});
