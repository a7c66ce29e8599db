import { describe, expect, it } from 'vitest';
import { approvalsView, requestedApprovalsView } from '../../src/commands/approvals.ts';
import { approval, hostileText, person, place } from './sample-resources.ts';

function text(...lines: string[]): string {
  return lines.join('\n');
}

const late = approval({ dueDate: '2026-01-14T16:00:00.000Z' });
const granted = approval({
  status: 'Approved',
  isBlocking: false,
  message: null,
  dueDate: '2026-01-14T16:00:00.000Z',
  approvedAt: '2026-01-11T10:00:00.000Z',
  user: person('Grace', 'Hopper'),
});

describe('the approvals of a post on a terminal', () => {
  it('are a table if it fits', () => {
    expect(
      approvalsView([late, granted, approval({ message: 'two\nlines' })], place({ width: null })),
    ).toBe(
      text(
        'Approver                          Status     Approved                 Due                              Blocking  Asked by  Message',
        '────────────────────────────────  ─────────  ───────────────────────  ───────────────────────────────  ────────  ────────  ──────────────────────',
        'Ada Lovelace <ada@example.com>    Requested  –                        2026-01-14 17:00 +01:00 overdue  yes       Bo Ek     Are the figures right?',
        'Grace Hopper <grace@example.com>  Approved   2026-01-11 11:00 +01:00  2026-01-14 17:00 +01:00          no        Bo Ek     –',
        'Ada Lovelace <ada@example.com>    Requested  –                        2026-01-20 17:00 +01:00          yes       Bo Ek     two lines',
      ),
    );
  });

  it('are marked overdue in red after the due time and before the approval', () => {
    const due = (now: string) => {
      const at = place({ width: 60, hasColor: true, now: new Date(now) });
      return approvalsView([approval()], at).split('\n')[2];
    };
    expect(due('2026-01-20T16:00:00.000Z')).toBe(
      '  \u001b[2mDue\u001b[22m       2026-01-20 17:00 +01:00',
    );
    expect(due('2026-01-20T16:00:00.001Z')).toBe(
      '  \u001b[2mDue\u001b[22m       \u001b[31m2026-01-20 17:00 +01:00 overdue\u001b[39m',
    );
    expect(approvalsView([granted], place({ hasColor: true }))).not.toContain('overdue');
  });

  it('contain no terminal control sequences', () => {
    const hostile = approval({
      status: hostileText,
      message: `${hostileText}\nmore`,
      user: { ...person(hostileText, 'x\ny'), email: hostileText },
      requestedBy: person(hostileText, ''),
    });
    expect(approvalsView([hostile], place())).toBe(
      text(
        '␛[2J�evil ␇�31m x y <␛[2J�evil ␇�31m>',
        '  Status    ␛[2J�evil ␇�31m',
        '  Due       2026-01-20 17:00 +01:00',
        '  Blocking  yes',
        '  Asked by  ␛[2J�evil ␇�31m',
        '  Message   ␛[2J�evil␍␇�31m',
        '            more',
      ),
    );
  });
});

describe('requested approvals on a terminal', () => {
  it('are divided into new and existing ones', () => {
    const answer = {
      createdApprovals: [approval({ message: null })],
      existingApprovals: [granted],
    };
    expect(requestedApprovalsView(answer, place())).toBe(
      text(
        '1 approval requested:',
        '  Ada Lovelace <ada@example.com>',
        '    Status    Requested',
        '    Due       2026-01-20 17:00 +01:00',
        '    Blocking  yes',
        '    Asked by  Bo Ek',
        '',
        '1 approval existed already:',
        '  Grace Hopper <grace@example.com>',
        '    Status    Approved',
        '    Approved  2026-01-11 11:00 +01:00',
        '    Due       2026-01-14 17:00 +01:00',
        '    Blocking  no',
        '    Asked by  Bo Ek',
      ),
    );
  });
});
