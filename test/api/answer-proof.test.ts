import { expect, it } from 'vitest';
import { judgeAnswer, type AnswerHeaders } from '../../src/api/answer-proof.ts';
import { addDays } from '../../src/core/calendar.ts';
import { analyticsRecord } from '../support/made-records.ts';

const [start, end] = ['2026-10-01', '2026-10-31'];

/** Posts of the days from a first one on. */
const postsFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, index) => analyticsRecord(index, addDays(first, index)));
const posts = postsFrom(start, 20);

function judge(records: readonly unknown[], headers: AnswerHeaders = {}) {
  const lastDay = addDays(end, -1);
  return judgeAnswer({ start, end, lastDay, endsToday: false, headers, records });
}

it.each<[string, AnswerHeaders]>([
  ['link', { link: '<https://x.example/?page=2>; rel="next"' }],
  ['link', { link: '</?page=1>; rel=prev, </?page=3>; rel="last next"' }],
  ['x-total-count', { 'x-total-count': '21' }],
  ['x-total', { 'x-total': '21' }],
  ['x-next-page', { 'x-next-page': '2' }],
  ['x-next-cursor', { 'x-next-cursor': 'abc' }],
  ['content-range', { 'content-range': 'items 0-19/21' }],
  ['content-range', { 'content-range': 'items 20-39/*' }],
])('an answer that says by its %s that it is not whole proves no day: %j', (name, headers) => {
  expect(judge(posts, headers)).toMatchObject({
    days: null,
    reason: 'not_whole',
    problem: expect.stringContaining(`it is not whole (${name}: `) as string,
  });
});

it.each<[string, AnswerHeaders]>([
  ['a link elsewhere', { link: '</docs>; rel="help", </next>; rel="prev"' }],
  ['its own total', { 'x-total-count': '20', 'x-total': 'many' }],
  ['no further page', { 'x-next-page': '', 'x-next-cursor': ' ' }],
  ['its whole range', { 'content-range': 'items 0-19/20' }],
  ['a range of an unknown total', { 'content-range': 'items 0-19/*' }],
])('an answer with %s proves its days', (_, headers) => {
  expect(judge(posts, headers)).toEqual({
    days: { first: start, last: '2026-10-30' },
    reason: null,
    problem: null,
    outside: 0,
    isUnreadable: false,
  });
});

it.each([
  ['that names no post', [...posts, { ...posts[0], id: 5 }], '1 of 21 records have no id', false],
  [
    'of which none names its post',
    posts.map((each) => ({ ...each, id: null })),
    '20 of 20 records have no id',
    true,
  ],
])('an answer with a record %s proves no day', (_, records, problem, isUnreadable) => {
  expect(judge(records)).toMatchObject({
    days: null,
    reason: 'unreadable_id',
    problem: expect.stringContaining(problem) as string,
    isUnreadable,
  });
});

it('an answer with posts of other days proves none, unless they are few or of the days beside', () => {
  const later = postsFrom('2026-11-02', 3);
  expect(judge([...posts, ...later])).toMatchObject({
    days: null,
    reason: 'other_dates',
    problem: expect.stringContaining(
      '3 of 23 posts are dated more than a day outside of these dates, for example 2026-11-04',
    ) as string,
    outside: 3,
  });
  const beside = ['2026-09-30', '2026-11-01'].flatMap((day) => postsFrom(day, 1));
  expect(judge([...posts, ...beside])).toMatchObject({ reason: null, outside: 0 });
  const accepted = [
    [...posts.slice(0, 5), ...later.slice(0, 1)],
    [...posts, ...posts, ...later.slice(0, 2)],
  ];
  for (const records of accepted) expect(judge(records)).toMatchObject({ reason: null });
});
