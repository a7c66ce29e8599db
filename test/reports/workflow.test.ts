import { beforeAll, describe, expect, test } from 'vitest';
import type { ReportDocument } from '../../src/report/report-document.ts';
import { buildOf } from './support/built-report.ts';
import { expectRows, rowsOf, sectionOf } from './support/document-figures.ts';
import { profiles, whole } from './support/golden-rows.ts';

const hourMs = 3_600_000;
const publishedAt = '2025-11-03T08:15:00Z';
/** A time so many hours after the publication of the posts. */
const at = (hours: number) => new Date(Date.parse(publishedAt) + hours * hourMs).toISOString();
const linkedIn = (id: string, change: object = {}) => ({
  ...whole,
  linkedin_post_id: id,
  post_id: id,
  published_at: publishedAt,
  ...change,
});
const post = (post_id: string, hours: number, change: object = {}) => ({
  post_id,
  title: `Post ${post_id}`,
  created_at: at(-hours),
  publish_at: publishedAt,
  ...change,
});
const ids = Array.from({ length: 12 }, (_, index) => String.fromCharCode(97 + index));

describe('the time from creation to publication', () => {
  const rows = {
    profiles,
    linkedin_posts: [
      ...ids.map((id) => linkedIn(id, { type: 'Text' })),
      linkedIn('x', { type: 'Image', published_at: '2025-11-04T08:15:00Z' }),
      linkedIn('imported', { type: 'Image' }),
      linkedIn('unread', { type: 'Image', post_id: null }),
    ],
    posts: [
      ...ids.map((id, index) => post(id, 10 * (index + 1))),
      post('x', 2),
      post('imported', -5, { publish_at: null }),
    ],
  };

  test('is shown by type and weekday, with medians from 10 posts on', async () => {
    const document = await buildOf(rows, 'workflow', {
      only: ['by_type', 'by_weekday', '_lede', '_coverage'],
    });
    expectRows(document, 'by_type', [
      { type: 'Text', posts: 12, timed_posts: 12, lead_days_p50: 65 / 24, mean_lead_days: 65 / 24 },
      { type: 'Image', posts: 3, timed_posts: 1, lead_days_p50: null, mean_lead_days: 26 / 24 },
    ]);
    expectRows(document, 'by_weekday', [
      { weekday: 1, posts: 14, timed_posts: 12, mean_lead_days: 65 / 24 },
      { weekday: 2, posts: 1, timed_posts: 1, mean_lead_days: 26 / 24 },
    ]);
    expect(sectionOf(document, 'by_type').finding).toBe(
      'Half of 13 posts went out within 3 days of being created, on average after 3 days',
    );
    expect(document.lede).toBe(
      'Half of 13 posts with a known time went out within **3 days** of being created.',
    );
    expect(document.coverage).toContain('14 with details');
    expect(document.coverage).toContain('1 created after publication');
  });

  test('is compared with the planned one: on time up to 5 minutes late or early, and told from 10 planned posts on', async () => {
    const seconds = [-301, -300, 300, 301, 3600, 3601, 86_400, 86_401];
    const delays = [...seconds, 0, 0].map((delay) => delay / 3600);
    const punctuality = async (planned: readonly number[]) => {
      const linkedin_posts = planned.map((hours, index) =>
        linkedIn(String(index), { published_at: at(hours) }),
      );
      const posts = planned.map((_, index) => post(String(index), 10));
      const only = ['punctuality', 'summary'];
      return buildOf({ profiles, linkedin_posts, posts }, 'workflow', { only });
    };
    const document = await punctuality(delays);
    const late = (name: string, posts: number, delay: number) => ({
      punctuality: name,
      posts,
      posts_share: posts / 10,
      delay_hours: delay / 3600,
    });
    expectRows(document, 'punctuality', [
      late('Earlier', 1, -301),
      late('On time', 4, 0),
      late('5–60 min late', 2, (301 + 3600) / 2),
      late('1–24 h late', 2, (3601 + 86_400) / 2),
      late('Over a day late', 1, 86_401),
    ]);
    expect(rowsOf(document, 'summary')).toMatchObject([
      { planned_posts: 10, late_posts: 5, on_time_share: 0.4 },
    ]);
    expect(sectionOf(document, 'punctuality').finding).toBe(
      '40% of 10 posts with a planned time went out within 5 minutes of it',
    );
    const few = await punctuality(Array.from({ length: 9 }, () => 1));
    expect(sectionOf(few, 'punctuality').finding).toBeNull();
    expect(rowsOf(few, 'summary')).toMatchObject([{ late_posts: 9, on_time_share: 0 }]);
  });

  test('is unknown where no details were read, which the page says', async () => {
    const sections = ['punctuality', 'approvers', 'unapproved', 'by_rounds', 'open_threads'];
    const document = await buildOf({ profiles, linkedin_posts: [whole] }, 'workflow', {
      only: [...sections, '_lede'],
    });
    expect(document.lede).toBe('The time from creation to publication of your post is not known.');
    for (const name of sections) expect(rowsOf(document, name), name).toEqual([]);
  });
});

describe('reviews', () => {
  const approval = (approval_id: string, post_id: string, change: object = {}) => ({
    approval_id,
    post_id,
    status: 'Requested',
    is_blocking: false,
    created_at: at(-50),
    due_date: at(-20),
    user_id: 'u1',
    user_name: 'Anna Lind',
    ...change,
  });
  const approved = (hours: number) => ({ status: 'Approved', approved_at: at(hours) });
  const reply = (hours: number) => ({ reply_id: String(hours), created_at: at(hours) });
  const rows = {
    profiles,
    linkedin_posts: [
      linkedIn('a'),
      // the same post of the workspace, later
      linkedIn('a2', { post_id: 'a', published_at: at(1) }),
      linkedIn('b'),
      linkedIn('c'),
    ],
    posts: [post('a', 100), post('b', 100), post('c', 100)],
    approvals: [
      approval('given', 'a', { ...approved(-40), is_blocking: true }),
      approval('given late', 'a', { ...approved(-10), user_id: 'u2', user_name: 'Bo' }),
      approval('after', 'b', { ...approved(0.5), due_date: null }),
      approval('open', 'b', { is_blocking: true, user_id: 'u2', user_name: 'Bo' }),
      approval('not due', 'c', {
        due_date: '2027-01-01T00:00:00Z',
        user_id: 'u2',
        user_name: 'Bo',
      }),
      approval('answered', 'c', { status: 'Rejected', user_id: 'u2', user_name: 'Bo' }),
      approval('asked later', 'c', { created_at: at(3), user_id: 'u2', user_name: 'Bo' }),
      approval('of another post', 'z'),
    ],
    review_readings: [
      { post_id: 'a', source: 'comments' },
      { post_id: 'b', source: 'comments' },
      { post_id: 'c', source: 'comments' },
      { post_id: 'a', source: 'approvals' },
    ],
    inline_comments: [
      {
        post_id: 'a',
        thread_id: 't1',
        resolved: true,
        created_at: at(-50),
        updated_at: at(6),
        replies: [reply(-50), reply(-49), reply(-20), reply(5)],
      },
      {
        post_id: 'a',
        thread_id: 't2',
        resolved: false,
        channel: 'LinkedIn',
        highlighted_text: 'cable',
        created_at: at(-49),
        replies: [reply(-49)],
      },
      { post_id: 'b', thread_id: 't3', resolved: false, replies: [reply(4)] },
    ],
  };
  let document: ReportDocument;
  beforeAll(async () => {
    const only = ['approvers', 'unapproved', 'by_rounds', 'open_threads', '_lede'];
    document = await buildOf(rows, 'workflow', { only });
  });

  test('show each approver’s time to the approval, and what is open, overdue and blocking', () => {
    expectRows(document, 'approvers', [
      {
        approver: 'Bo',
        asked: 5,
        approved: 1,
        decision_days_p50: null,
        mean_decision_days: 40 / 24,
        late_approvals: 4,
        open_approvals: 3,
        overdue_approvals: 2,
        blocking_approvals: 1,
        missing_approvals: 3,
      },
      {
        approver: 'Anna Lind',
        asked: 2,
        approved: 2,
        decision_days_p50: null,
        mean_decision_days: (10 + 50.5) / 2 / 24,
        late_approvals: 0,
        open_approvals: 0,
        overdue_approvals: 0,
        blocking_approvals: 0,
        missing_approvals: 1,
      },
    ]);
    expect(sectionOf(document, 'approvers').finding).toBe(
      '2 approvals are overdue, 1 of them blocking',
    );
  });

  test('list what went out without an approval that was asked for, blocking ones first', () => {
    expectRows(document, 'unapproved', [
      { approval_id: 'open', approver: 'Bo', is_blocking: true, is_open: true, is_overdue: true },
      {
        approval_id: 'after',
        approver: 'Anna Lind',
        is_blocking: false,
        is_open: false,
        is_overdue: false,
      },
      {
        approval_id: 'answered',
        approver: 'Bo',
        is_blocking: false,
        is_open: false,
        is_overdue: false,
      },
      {
        approval_id: 'not due',
        approver: 'Bo',
        is_blocking: false,
        is_open: true,
        is_overdue: false,
      },
    ]);
    expect(sectionOf(document, 'unapproved').finding).toBe(
      '2 posts went out without an approval that was asked for, 1 without a blocking one',
    );
    expect(document.lede).toContain('2 posts went out without an approval that was asked for.');
  });

  test('count the days of comments before publication, and list open threads', () => {
    expectRows(document, 'by_rounds', [
      { rounds: '0', posts: 2, posts_share: 2 / 3, threads: 1, open_threads: 1, replies: 1 },
      { rounds: '2', posts: 1, posts_share: 1 / 3, threads: 2, open_threads: 1, replies: 5 },
    ]);
    expectRows(document, 'open_threads', [
      { thread_id: 't3', title: 'Post b', replies: 1, highlighted_text: null },
      { thread_id: 't2', title: 'Post a', replies: 1, highlighted_text: 'cable' },
    ]);
    expect(sectionOf(document, 'open_threads').finding).toBe(
      '2 threads of comments on 2 published posts are not resolved',
    );
  });

  test('are none where approvals were read and there are none, and unknown where none were read', async () => {
    const summary = async (change: object) => {
      const document = await buildOf({ ...rows, approvals: [], ...change }, 'workflow', {
        only: ['summary', '_cards'],
      });
      const { approvals, open_approvals, posts_unapproved } = rowsOf(document, 'summary')[0] ?? {};
      const card = document.cards.find(({ label }) => label === 'Open approvals');
      return [approvals, open_approvals, posts_unapproved, card?.value];
    };
    expect(await summary({})).toEqual([0, 0, 0, 0]);
    const other = [{ post_id: 'z', source: 'approvals' }];
    expect(await summary({ review_readings: other })).toEqual([null, null, null, null]);
  });

  test('are as they were on a past day', async () => {
    const document = await buildOf(
      {
        ...rows,
        linkedin_post_snapshots: ['a', 'a2', 'b', 'c'].map((linkedin_post_id) => ({
          linkedin_post_id,
          captured_on: '2025-11-02',
          captured_at: '2025-11-02T05:00:00Z',
        })),
      },
      'workflow',
      { only: ['approvers', 'open_threads'], parameters: { asOf: '2025-11-02' } },
    );
    expect(
      rowsOf(document, 'approvers').map(({ approver, asked, open_approvals }) => [
        approver,
        asked,
        open_approvals,
      ]),
    ).toEqual([
      ['Bo', 4, 2],
      ['Anna Lind', 2, 1],
    ]);
    expect(rowsOf(document, 'open_threads').map((row) => row['thread_id'])).toEqual(['t1', 't2']);
  });
});
