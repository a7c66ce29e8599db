import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gridTexts, gridTicks } from '../../../../src/render/html/charts/values.ts';
import { createPageContext } from '../../../../src/render/html/page-context.ts';
import { sampleDocument } from '../../../support/sample-document.ts';

const context = createPageContext(sampleDocument(), []);

describe('grid lines', () => {
  test('are three to five beside 0, at round values, for any range from 0', () => {
    expect(gridTicks([0, 13_696])).toEqual([0, 2500, 5000, 7500, 10_000, 12_500]);
    expect(gridTicks([0, 0.063])).toEqual([0, 0.02, 0.04, 0.06]);
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e12, noNaN: true }), (high) => {
        const ticks = gridTicks([0, high]);
        expect(ticks[0]).toBe(0);
        expect(ticks.length).toBeGreaterThanOrEqual(4);
        expect(ticks.length).toBeLessThanOrEqual(6);
        expect(ticks.at(-1)).toBeLessThanOrEqual(high);
      }),
    );
  });

  test('lie on both sides of 0 where there are negative values', () => {
    expect(gridTicks([-50, 120])).toEqual([-50, 0, 50, 100]);
  });
});

describe('labels of grid lines', () => {
  test('have the unit on the top one alone', () => {
    expect(gridTexts([0, 2500, 5000, 7500], 'money', context)).toEqual(['0', '2,500', '5,000', '€7,500']); // prettier-ignore
    expect(gridTexts([0, 0.02, 0.04], 'rate', context)).toEqual(['0.0', '2.0', '4.0%']);
    expect(gridTexts([0, 20_000, 40_000], 'count', context)).toEqual(['0', '20k', '40k']);
  });

  test('are never two alike, however fine the steps', () => {
    expect(gridTexts([0, 0.0002, 0.0004], 'rate', context)).toEqual(['0.00', '0.02', '0.04%']);
    expect(gridTexts([0, 0.2, 0.4], 'money', context)).toEqual(['0.0', '0.2', '€0.4']);
    expect(gridTexts([0, 0.5, 1], 'count', context)).toEqual(['0.0', '0.5', '1.0']);
  });
});
