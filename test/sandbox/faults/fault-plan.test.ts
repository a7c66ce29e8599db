import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultKindNames, oddsOf, type FaultKind } from '../../../src/sandbox/faults/fault-kinds.ts';
import { FaultPlan, type FaultedRequest } from '../../../src/sandbox/faults/fault-plan.ts';

function get(path: string): FaultedRequest {
  return { method: 'GET', path, body: '' };
}

/** Requests of which many are the same. */
const requests = fc.array(
  fc.record({
    method: fc.constantFrom('GET', 'POST', 'DELETE'),
    path: fc.constantFrom('/posts/1', '/posts/2', '/posts/2?x=1', '/approvals'),
    body: fc.constantFrom('', '{}', '{"postId":1}'),
  }),
  { maxLength: 60 },
);

/** What happened to which visit, whatever the order. */
function fates(plan: FaultPlan, all: readonly FaultedRequest[]): string[] {
  return all
    .map((request) => {
      const fault = plan.take(request);
      return JSON.stringify([request, fault && [fault.kind, fault.nth, fault.random()]]);
    })
    .toSorted();
}

function sumOfOdds(level: 'none' | 'mild' | 'hostile', method: string): number {
  return oddsOf(level, method).reduce((sum, [, probability]) => sum + probability, 0);
}

describe('the plan of faults', () => {
  it('has the same fate for the same request in any order, chance included', () => {
    fc.assert(
      fc.property(fc.nat(), requests, fc.infiniteStream(fc.nat()), (seed, all, ranks) => {
        const shuffled = all
          .map((request) => ({ request, rank: Number(ranks.next().value) }))
          .sort((one, other) => one.rank - other.rank)
          .map(({ request }) => request);
        const planned = fates(new FaultPlan(seed, 'hostile'), all);
        expect(fates(new FaultPlan(seed, 'hostile'), shuffled)).toEqual(planned);
      }),
    );
  });

  it('has other fates for another seed, and for a request that comes again', () => {
    const drawMany = (seed: number) => {
      const plan = new FaultPlan(seed, 'hostile');
      return Array.from({ length: 200 }, () => plan.take(get('/posts/1'))?.kind ?? null);
    };
    expect(drawMany(1)).toEqual(drawMany(1));
    expect(drawMany(1)).not.toEqual(drawMany(2));
    expect(new Set(drawMany(1)).size).toBeGreaterThan(10);
  });

  it.each([
    ['none', 'GET', 0, 0],
    ['mild', 'GET', 0.04, 0.08],
    ['mild', 'POST', 0.01, 0.03],
    ['hostile', 'GET', 0.3, 0.4],
    ['hostile', 'DELETE', 0.3, 0.4],
  ] as const)('hits a %s share of requests: %s', (level, method, low, high) => {
    const plan = new FaultPlan(1, level);
    const draws = Array.from({ length: 5000 }, (_, n) => plan.take({ ...get(`/${n}`), method }));
    const share = draws.filter((fault) => fault !== null).length / draws.length;
    expect(sumOfOdds(level, method)).toBeGreaterThanOrEqual(low);
    expect(sumOfOdds(level, method)).toBeLessThanOrEqual(high);
    expect(Math.abs(share - sumOfOdds(level, method))).toBeLessThan(0.02);
  });

  it('has every kind when it is hostile', () => {
    const plan = new FaultPlan(1, 'hostile');
    const kinds = new Set<FaultKind | null>();
    for (let n = 0; n < 3000; n += 1) kinds.add(plan.take(get(`/${n}`))?.kind ?? null);
    expect([...kinds].filter((kind) => kind !== null).toSorted()).toEqual(
      faultKindNames.toSorted(),
    );
  });

  it('loses nothing and leaves no change in doubt when it is mild', () => {
    const kindsOf = (method: string) =>
      oddsOf('mild', method).flatMap(([kind, probability]) => (probability > 0 ? [kind] : []));
    for (const kind of ['unknown_enum_values', 'nulled_optional', 'nulled_required'] as const) {
      expect(kindsOf('GET')).not.toContain(kind);
    }
    expect(kindsOf('POST')).toEqual([
      'rate_limited',
      'slow_drip',
      'duplicated_members',
      'unknown_fields',
    ]);
  });
});

describe('a requested fault', () => {
  it('takes the next requests that it matches, as many as it says, whatever the level', () => {
    const plan = new FaultPlan(1, 'none');
    plan.request([{ kind: 'cut_body', path: '/posts', method: 'POST', times: 2 }]);
    const take = (method: string, path: string) =>
      plan.take({ method, path, body: '' })?.kind ?? null;
    expect(take('GET', '/posts/1')).toBeNull();
    expect(take('POST', '/postscript')).toBeNull();
    expect(take('POST', '/approvals?next=/posts')).toBeNull();
    expect(take('POST', '/posts/1/unschedule')).toBe('cut_body');
    expect(take('POST', '/posts?x=1')).toBe('cut_body');
    expect(take('POST', '/posts/1/unschedule')).toBeNull();
    expect(plan.requested).toEqual([]);
  });

  it('comes in its turn, and in place of what the level has', () => {
    const plan = new FaultPlan(1, 'hostile');
    plan.request(faultKindNames.map((kind) => ({ kind, times: 1 })));
    expect(faultKindNames.map(() => plan.take(get('/posts/1'))?.kind)).toEqual(faultKindNames);
  });

  it('is replaced by what is requested next', () => {
    const plan = new FaultPlan(1, 'none');
    plan.request([{ kind: 'cut_body', times: 3 }]);
    plan.request([]);
    expect(plan.take(get('/posts/1'))).toBeNull();
  });

  it('goes to the next request when it did not fit', () => {
    const plan = new FaultPlan(1, 'none');
    plan.request([{ kind: 'duplicated_members', times: 2 }]);
    const taken = plan.take(get('/posts/1'));
    if (taken) plan.putBack(taken);
    const kinds = [1, 2, 3].map(() => plan.take(get('/posts/2'))?.kind ?? null);
    expect(kinds).toEqual(['duplicated_members', 'duplicated_members', null]);
  });

  it('comes as often as it was requested, however often it did not fit', () => {
    const plan = new FaultPlan(1, 'none');
    const requested = [
      { kind: 'duplicated_members', path: '/posts', times: 2 },
      { kind: 'cut_body', times: 1 },
    ] as const;
    plan.request(requested);
    const taken = [plan.take(get('/posts/1')), plan.take(get('/posts/2'))];
    expect(plan.requested).toEqual([requested[1]]);
    for (const fault of taken) if (fault) plan.putBack(fault);
    expect(plan.requested).toEqual(requested);
  });

  it('stays away when others were requested before it turned out not to fit', () => {
    const plan = new FaultPlan(1, 'none');
    plan.request([{ kind: 'duplicated_members', times: 2 }]);
    const taken = plan.take(get('/posts/1'));
    plan.request([{ kind: 'cut_body', times: 1 }]);
    if (taken) plan.putBack(taken);
    expect(plan.requested).toEqual([{ kind: 'cut_body', times: 1 }]);
  });

  it('says how long', () => {
    const plan = new FaultPlan(1, 'none');
    plan.request([{ kind: 'slow_drip', times: 1, seconds: 40 }]);
    expect(plan.take(get('/posts/1'))).toMatchObject({ kind: 'slow_drip', seconds: 40, nth: 1 });
  });
});
