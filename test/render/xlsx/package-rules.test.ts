import { describe, expect, it } from 'vitest';
import {
  emptySampleDocument,
  sampleDocument,
  sampleEngagementDocument,
} from '../../support/sample-document.ts';
import { fullDocument } from './full-document.ts';
import { brokenRules } from './package-rules.ts';
import { roundTrip } from './read-workbook.ts';

describe("a workbook's parts", () => {
  it.each([
    ['every kind of chart and formula', fullDocument()],
    ['a year', sampleDocument()],
    ['a heatmap', sampleEngagementDocument()],
    ['no posts', emptySampleDocument()],
    [
      'hostile names',
      {
        ...fullDocument(),
        title: '&<>"\u0000',
        brand: { name: '$&</Company>', logo: null, color: null, productMark: true },
      },
    ],
  ])('follow the rules that Excel enforces: %s', async (_, document) => {
    const { parts } = await roundTrip(document);
    expect(brokenRules(parts)).toEqual([]);
  });
});
