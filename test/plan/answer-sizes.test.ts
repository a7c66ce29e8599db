import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerSizes } from '../../src/plan/answer-sizes.ts';
import type { GivenAnswer, PastCheck } from '../../src/plan/plan.ts';

const now = new Date('2026-03-01T06:00:00Z');
const january = { start: '2026-01-01', end: '2026-01-30' };
const february = { start: '2026-01-31', end: '2026-03-01' };

function answer(posts: number, given: Partial<GivenAnswer> = {}): GivenAnswer {
  return { profileId: 'p1', window: january, records: posts, posts, ...given };
}

function check(posts: number, given: Partial<PastCheck> = {}): PastCheck {
  return { ...answer(posts), workspace: 'acme', kind: 'agreed', checkedAt: now, ...given };
}

/** What is thought of an answer of `posts`, after it and the others were seen. */
function suspicion(
  posts: number | GivenAnswer,
  others: readonly GivenAnswer[] = [],
  checks: readonly PastCheck[] = [],
) {
  const given = typeof posts === 'number' ? answer(posts) : posts;
  return new AnswerSizes([...others, given], checks).suspicionOf(given, now);
}

describe('an answer looks cut off', () => {
  it.each([100, 150, 200, 250, 500, 1000, 10_000, 128, 256, 512, 1024])(
    'when it holds %i posts, whatever others hold',
    (posts) => {
      expect(suspicion(posts, [answer(20_001, { profileId: 'p2' })])).toBe('strong');
    },
  );

  it.each([0, 1, 9, 10, 19, 30, 40, 60, 99, 101, 110, 120, 199, 225])(
    'not when it holds %i, and no other as many',
    (posts) => {
      expect(suspicion(posts, [answer(7, { profileId: 'p2' })])).toBe(null);
    },
  );

  it.each([20, 25, 50])(
    'when it holds %i, as services often limit answers, while none holds more',
    (posts) => {
      expect(suspicion(posts)).toBe('weak');
      expect(suspicion(posts, [answer(posts + 1, { window: february })])).toBe(null);
    },
  );

  it('when it is as large as the largest ever, and so is another of other days or another profile', () => {
    expect(suspicion(37, [answer(37, { window: february })])).toBe('weak');
    expect(suspicion(37, [answer(37, { profileId: 'p2' })])).toBe('weak');
    expect(
      suspicion(37, [
        answer(37, { window: february }),
        answer(38, { window: february, profileId: 'p2' }),
      ]),
    ).toBe(null);
  });

  it('not for the same window again, or the same one a day longer, as nothing was posted', () => {
    expect(suspicion(37, [answer(37)])).toBe(null);
    expect(suspicion(37, [answer(37, { window: { ...january, end: '2026-01-29' } })])).toBe(null);
  });

  it('not when it is small, however many are as large', () => {
    const others = [1, 2, 3, 4].map((number) => answer(9, { profileId: `other ${number}` }));
    expect(suspicion(9, others)).toBe(null);
  });

  it('by its records, where some stand in it twice', () => {
    expect(suspicion(answer(97, { records: 100 }))).toBe('strong');
    expect(suspicion(answer(100, { records: 103 }))).toBe('strong');
  });

  it('when as many were found cut off before, in whatever window', () => {
    const found = check(13, { kind: 'cut_off', profileId: 'p2' });
    expect(suspicion(13, [answer(60, { window: february })], [found])).toBe('strong');
    expect(suspicion(14, [answer(60, { window: february })], [found])).toBe(null);
  });

  it('on a single day only when that is certain enough to say so, as it has no halves', () => {
    const window = { start: '2026-01-01', end: '2026-01-01' };
    expect(suspicion(answer(50, { window }), [answer(50, { profileId: 'p2' })])).toBe(null);
    expect(suspicion(answer(100, { window }))).toBe('strong');
  });
});

describe('an answer that was checked', () => {
  it('is not checked again while its count stays the same', () => {
    expect(suspicion(100, [], [check(100)])).toBe(null);
    expect(suspicion(150, [], [check(100)])).toBe('strong');
    expect(suspicion(100, [], [check(100, { window: february })])).toBe('strong');
    expect(suspicion(100, [], [check(100, { profileId: 'p2' })])).toBe('strong');
  });

  it('is checked again after a week when its window has grown by days without posts', () => {
    const shorter = { ...january, end: '2026-01-20' };
    const on = (day: string) =>
      suspicion(
        100,
        [],
        [check(100, { window: shorter, checkedAt: new Date(`${day}T06:00:00Z`) })],
      );
    expect(on('2026-02-23')).toBe(null);
    expect(on('2026-02-22')).toBe('strong');
    expect(on('2026-03-02')).toBe('strong');
  });

  it('settles with one check for each doubling how many are as large as the largest', () => {
    const windows = Array.from({ length: 300 }, (_, index) =>
      answer(30, { profileId: `p${index}` }),
    );
    const left = (ties: number, checked: number) =>
      new AnswerSizes(
        windows.slice(0, ties),
        windows.slice(0, checked).map((each) => check(30, each)),
      ).agreementsLeft;
    expect([1, 2, 3, 4, 8, 16, 300].map((ties) => left(ties, 0))).toEqual([1, 2, 2, 3, 4, 5, 5]);
    expect([0, 1, 2, 3, 4, 5].map((checked) => left(300, checked))).toEqual([5, 4, 3, 2, 1, 0]);
    const settled = windows.slice(0, 2).map((each) => check(30, each));
    expect(suspicion(windows[2] ?? answer(0), windows.slice(0, 2), settled)).toBe(null);
  });

  it('settles nothing for larger answers', () => {
    const settled = [check(37, { profileId: 'p8' }), check(37, { profileId: 'p9' })];
    const others = [answer(38, { window: february })];
    expect(suspicion(38, others, settled)).toBe('weak');
  });
});

const volumes = fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 60 });
const inTwoOrders = (answers: GivenAnswer[]) =>
  fc.tuple(
    fc.constant(answers),
    fc.shuffledSubarray(answers, { minLength: answers.length, maxLength: answers.length }),
  );
const answersOf = (counts: readonly number[]) =>
  counts.map((posts, index) => answer(posts, { profileId: `p${index}` }));

describe('of any answers', () => {
  it('none is suspected that is smaller than another, unless its size is a limit', () => {
    fc.assert(
      fc.property(volumes, (counts) => {
        const answers = answersOf(counts);
        const sizes = new AnswerSizes(answers, []);
        const largest = Math.max(...counts);
        for (const each of answers) {
          if (sizes.suspicionOf(each, now) !== null) expect(each.posts).toBe(largest);
        }
      }),
    );
  });

  it('five checks at most are made where every one agrees, and then nothing is suspected', () => {
    fc.assert(
      fc.property(volumes, (counts) => {
        const answers = answersOf(counts);
        const sizes = new AnswerSizes(answers, []);
        let checks = 0;
        for (const each of answers) {
          if (sizes.suspicionOf(each, now) === null) continue;
          sizes.sawCheck(check(each.posts, each));
          checks += 1;
        }
        expect(checks).toBeLessThanOrEqual(5);
        expect(answers.filter((each) => sizes.suspicionOf(each, now) !== null)).toEqual([]);
      }),
    );
  });

  it('it does not matter in which order they came', () => {
    fc.assert(
      fc.property(volumes.map(answersOf).chain(inTwoOrders), ([answers, shuffled]) => {
        const inOrder = new AnswerSizes(answers, []);
        const inAnother = new AnswerSizes(shuffled, []);
        for (const each of answers) {
          expect(inAnother.suspicionOf(each, now)).toBe(inOrder.suspicionOf(each, now));
        }
      }),
    );
  });
});
