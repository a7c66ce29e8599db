import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../src/core/calendar.ts';
import type { ReportParameters } from '../../src/report/report-parameters.ts';
import type { WarehouseRows } from '../report/support/report-warehouse.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { buildOf } from './support/built-report.ts';
import { rowsOf, sectionOf, type Row } from './support/document-figures.ts';

const rows: WarehouseRows = {
  profiles: ['p1', 'p2', 'p3'].map((id) => ({ profile_id: id, name: `Profile ${id}` })),
  linkedin_posts: Array.from({ length: 30 }, (_, index) => ({
    linkedin_post_id: `a${index}`,
    profile_id: index % 2 ? 'p1' : 'p2',
    published_at: `${addDays('2024-09-10', index * 28)}T10:00:00Z`,
    impression_count: 100,
  })),
};

const owned = ['p1', 'p2'].map((id) => ({ workspace: 'acme', id }));

async function fileOf(lines: readonly string[]) {
  const file = join(await temporaryFolder(), 'figures.csv');
  await writeFile(file, `${lines.join('\n')}\n`);
  return { file, isShared: false };
}

async function overviewOf(
  lines: readonly string[],
  parameters: Partial<ReportParameters>,
  {
    isShared = false,
    firstDays,
    profiles = rows.profiles ?? [],
  }: {
    isShared?: boolean;
    firstDays?: readonly string[];
    profiles?: NonNullable<WarehouseRows['profiles']>;
  } = {},
) {
  const figures = { ...(await fileOf(lines)), isShared };
  const windows = firstDays?.map((day, index) => ({
    profile_id: `p${index + 1}`,
    ...{ start_date: day, end_date: '2026-12-04', fetched_at: '2026-12-05T05:00:00Z' },
  }));
  const asked = firstDays?.map((day, index) => [`acme/p${index + 1}`, day] as const);
  const read = { ...rows, profiles, ...(windows && { extract_windows: windows }) };
  const document = await buildOf(read, 'overview', {
    only: ['_cards', 'scorecard'],
    config: { today: '2026-12-05', ...(asked && { firstAskedDays: new Map(asked) }) },
    parameters: { scope: owned, figures, ...parameters },
  });
  const found = rowsOf(document, 'scorecard').map((row) => [String(row['figure']), row] as const);
  return { document, figures: new Map<string, Row>(found) };
}

const monthly = 'profile,month,figure,value,kind,format';
const october = { from: '2026-10-01', to: '2026-10-31' };

/** Days of 2025 and 2026 as numbers of their months. */
const monthName = (at: number) =>
  `${2024 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
const lastDayOf = (at: number) => addDays(`${monthName(at + 1)}-01`, -1);

interface Given {
  readonly profile: string;
  readonly month: number;
  readonly value: number | null;
}

/** The definition of docs/reports.md, from the rows alone. */
function expectedOf(given: readonly Given[], kind: string, from: number, to: number) {
  const own = given.filter(({ profile }) => profile !== 'p3');
  const sums = [...new Set(own.map(({ profile }) => profile))].map((profile) => {
    const known = own
      .filter((row) => row.profile === profile && row.month >= from && row.month <= to)
      .filter(({ value }) => value !== null)
      .sort((a, b) => a.month - b.month);
    const values = known.map(({ value }) => Number(value));
    const isWhole = kind === 'last' ? known.length > 0 : known.length === to - from + 1;
    const value = kind === 'last' ? values.at(-1) : values.reduce((a, b) => a + b, 0);
    return { value: known.length === 0 ? null : (value ?? null), isWhole };
  });
  const known = sums.flatMap(({ value }) => (value === null ? [] : [value]));
  return {
    value: known.length === 0 ? null : known.reduce((a, b) => a + b, 0),
    isWhole: sums.length > 0 && sums.every((sum) => sum.isWhole),
  };
}

/** The same numbers in each run. */
function numbersFrom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

describe('figures of a file', () => {
  it.each([
    {
      seed: 1,
      periods: [
        [33, 33],
        [24, 35],
      ],
    },
    { seed: 2, periods: [[30, 32]] },
    {
      seed: 3,
      periods: [
        [33, 33],
        [24, 35],
      ],
    },
  ] as const)('agree with its rows in made-up world $seed', async ({ seed, periods }) => {
    const next = numbersFrom(seed * 7919);
    const kinds = { Followers: 'last', Spend: 'sum' };
    const profilesOf = {
      Followers: ['p1', 'p2', 'p3'],
      Spend: seed % 2 ? ['', 'p1'] : ['p2', 'p3'],
    };
    const given = new Map<string, Given[]>();
    const lines = [monthly];
    for (const [figure, kind] of Object.entries(kinds)) {
      const made = profilesOf[figure as 'Spend'].flatMap((profile) =>
        Array.from({ length: 36 }, (_, month): Given => {
          const value = next(seed === 1 ? 1_000_000 : 12) === 0 ? null : next(5000) / 4;
          return { profile, month, value };
        }).filter(() => seed === 1 || next(15) > 0),
      );
      given.set(figure, made);
      for (const { profile, month, value } of made)
        lines.push(`${profile},${monthName(month)},${figure},${value ?? ''},${kind},`);
    }
    for (const [from, to] of periods) {
      const { figures } = await overviewOf(lines, {
        from: `${monthName(from)}-01`,
        to: lastDayOf(to),
      });
      for (const [figure, kind] of Object.entries(kinds)) {
        const row = figures.get(figure);
        const rowsOfFigure = given.get(figure) ?? [];
        const length = to - from + 1;
        const now = expectedOf(rowsOfFigure, kind, from, to);
        const before = expectedOf(rowsOfFigure, kind, from - length, from - 1);
        const year = expectedOf(rowsOfFigure, kind, from - 12, from - 1);
        const ago = expectedOf(rowsOfFigure, kind, from - 12, to - 12);
        const isCompared = now.isWhole && before.isWhole;
        if (now.value === null) {
          expect(row).toBeUndefined();
          continue;
        }
        const trend = Array.from({ length: 13 }, (_, at) => {
          const month = expectedOf(rowsOfFigure, kind, to - 12 + at, to - 12 + at);
          return month.isWhole ? month.value : null;
        });
        expect(row, `${figure} ${from} ${to}`).toMatchObject({
          value: expect.closeTo(now.value, 6) as number,
          previous: isCompared ? before.value : null,
          change:
            isCompared && Number(before.value) > 0
              ? (expect.closeTo(now.value / Number(before.value) - 1, 9) as number)
              : null,
          average_12_months:
            kind === 'sum' && year.isWhole
              ? (expect.closeTo((Number(year.value) * length) / 12, 6) as number)
              : null,
          year_before: ago.isWhole ? ago.value : null,
          trend,
        });
      }
    }
  });

  it('stand behind those of the service with their targets, in the order of the file, and say what is missing', async () => {
    const lines = [
      monthly,
      ...[9, 10].map(
        (month) => `,2026-${String(month).padStart(2, '0')},Zeal,${month * 10},sum,money`,
      ),
      'p1,2026-10,Followers,900,last,',
      'Profile p2,2026-10,Followers,80,last,count',
      'acme/p2,2026-09,Followers,70,last,',
      ...['', 'p1'].map((profile) => `${profile},2026-09,Leads {value:money} <i>,1,sum,`),
      ',2026-10,Leads {value:money} <i>,3,sum,',
      'p1,2026-10,Leads {value:money} <i>,,sum,',
      'p1,2026-08,Old,3,sum,',
    ];
    const targets = { Followers: 1000, Zeal: 200, 'Leads {value:money} <i>': 9, impressions: 1000 };
    const { document, figures } = await overviewOf(lines, { ...october, targets });
    expect([...figures.keys()].slice(-3)).toEqual(['Zeal', 'Followers', 'Leads {value:money} <i>']);
    expect(figures.get('Zeal')).toMatchObject({
      value: 100,
      target: 200,
      previous: 90,
      format: 'money',
    });
    expect(figures.get('Followers')).toMatchObject({ value: 980, target: 1000, previous: null });
    expect(figures.get('Leads {value:money} <i>')).toMatchObject({
      ...{ value: 3, target: null, previous: null, change: null },
    });
    expect(sectionOf(document, 'scorecard').notes).toEqual(
      expect.arrayContaining([
        'Leads {value:money} <i>: 1 of 2 values is given for this period; the figure is of these alone, and is not compared.',
        'Old is not given for this period.',
        'Followers: the days that it would be compared with lack values, so it is not compared.',
        'Zeal, Followers, Leads {value:money} <i>: given separately, not by the service.',
      ]),
    );
    const cards = document.cards.map(({ label, value, basis }) => [label, value, basis]);
    expect(cards.slice(-3)).toEqual([
      ['Zeal', 100, '50% of the target of €200'],
      ['Followers', 980, 'target 1,000'],
      ['Leads {value:money} <i>', 3, null],
    ]);
  });

  it('have targets of their own: a level the same at any time, and whenever a profile begins', async () => {
    const lines = [
      'day,figure,value,kind',
      '2026-12-02,Calls,5,sum',
      '2026-12-03,Followers,900,last',
      '2026-12-01,Followers,901,last',
    ];
    const december = { from: '2026-12-01', to: '2026-12-31', soFarMonths: 1 } as const;
    const targets = { Calls: 310, Followers: 1000, impressions: 620 };
    const goalsOf = async (firstDays?: readonly string[]) => {
      const { figures } = await overviewOf(
        lines,
        { ...december, targets },
        { ...(firstDays && { firstDays }) },
      );
      return ['Calls', 'Followers'].map((name) => {
        const { value, target, pace } = figures.get(name) ?? {};
        return [value, target, pace];
      });
    };
    const own = [
      [5, 310, 40],
      [900, 1000, 1000],
    ];
    expect(await goalsOf()).toEqual(own);
    expect(await goalsOf(['2024-01-01', '2026-12-03'])).toEqual(own);
  });

  it('count by day in any period, by month where the whole month lies in it', async () => {
    const lines = [
      'profile,day,month,figure,value,kind',
      ...['2026-09-30', '2026-10-01', '2026-10-14', '2026-10-15', '2026-10-16'].map(
        (day, index) => `,${day},,Calls,${10 ** index},sum`,
      ),
      ...['2026-08', '2026-09', '2026-10'].map(
        (month, index) => `,,${month},Leads,${index + 1},sum`,
      ),
    ];
    const valueOf = async (from: string | null, to: string | null) => {
      const { figures } = await overviewOf(lines, { from, to });
      return ['Calls', 'Leads'].map((name) => figures.get(name)?.['value'] ?? null);
    };
    expect(await valueOf('2026-09-01', '2026-10-15')).toEqual([1111, 2]);
    expect(await valueOf('2026-10-14', null)).toEqual([11_100, null]);
    expect(await valueOf(null, null)).toEqual([11_111, 6]);
    const { figures, document } = await overviewOf(lines, { from: '2026-07-01', to: '2026-10-31' });
    expect(figures.get('Calls')).toMatchObject({ value: 11_111, previous: null, target: null });
    expect(sectionOf(document, 'scorecard').notes.join('\n')).toContain(
      'Calls: 1 of 3 values is given',
    );
    const { figures: ofMonth } = await overviewOf(lines, october);
    expect(ofMonth.get('Calls')).toMatchObject({ previous: 1, average_12_months: null });
  });

  it('are those of the profiles that are asked for, and none of a filter of posts', async () => {
    const lines = [
      monthly,
      'p1,2026-10,Followers,1,last,',
      'p2,2026-10,Followers,10,last,',
      'p3,2026-10,Followers,100,last,',
      ',2026-10,Spend,5,sum,',
    ];
    const valuesOf = async (parameters: Partial<ReportParameters>) => {
      const { figures } = await overviewOf(lines, { ...october, ...parameters });
      return ['Followers', 'Spend'].map((name) => figures.get(name)?.['value'] ?? null);
    };
    expect(await valuesOf({})).toEqual([11, 5]);
    expect(await valuesOf({ profiles: ['Profile p2'] })).toEqual([10, null]);
    expect(await valuesOf({ types: ['Text'] })).toEqual([null, null]);
    expect(await valuesOf({ asOf: '2026-10-30' })).toEqual([null, null]);
    const profiles = ['acme', 'beta'].map((workspace) => ({
      workspace,
      profile_id: 'p1',
      name: `Profile of ${workspace}`,
    }));
    const scope = profiles.map(({ workspace }) => ({ workspace, id: 'p1' }));
    const spent = ['acme/p1,2026-10,Spend,1,sum,', 'beta/p1,2026-10,Spend,20,sum,'];
    const { figures } = await overviewOf([monthly, ...spent], { ...october, scope }, { profiles });
    expect(figures.get('Spend')).toMatchObject({ value: 21 });
    await expect(overviewOf(lines, october, { isShared: true })).rejects.toThrow(
      'figures.csv:5: profile: is empty, and several clients have this file; name one',
    );
  });
});
