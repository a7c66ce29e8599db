import { expect, test } from 'vitest';
import { builtInReports, findReports } from '../../src/report/report-catalog.ts';

const reports = await findReports([builtInReports]);

/** Growth is for the team, and short. */
const most: Readonly<Record<string, number>> = { growth: 3 };

test.each([...reports.values()])('$name answers in a few sections', ({ name, sections }) => {
  const shown = sections.filter(({ layout }) => layout !== 'data');
  const main = shown.filter(({ appendix }) => !appendix);
  expect(main.length).toBeGreaterThan(0);
  expect(main.length).toBeLessThanOrEqual(most[name] ?? 5);
  expect(shown.slice(0, main.length)).toEqual(main);
});
