import { describe, expect, test } from 'vitest';
import {
  createFormatter,
  type Cell,
  type ColumnFormat,
  type FormatStyle,
} from '../../src/languages/number-format.ts';

const british = createFormatter({ locale: 'en-GB', currency: 'EUR', timezone: 'Europe/Berlin' });
const germany = { locale: 'de-DE', currency: 'EUR', timezone: 'Europe/Berlin' };
const german = createFormatter(germany);
const american = createFormatter({ locale: 'en-US', currency: 'USD', timezone: 'UTC' });
const swedish = createFormatter({ locale: 'sv-SE', currency: 'SEK', timezone: 'UTC' });

const cases: [Cell, ColumnFormat, string][] = [
  [null, 'count', '–'],
  [0, 'count', '0'],
  [1234567, 'count', '1,234,567'],
  [-3, 'count', '−3'],
  [-0, 'count', '0'],
  [-0.4, 'count', '0'],
  [-0.004, 'decimal', '0.00'],
  [9223372036854775808n, 'count', '9,223,372,036,854,775,808'],
  [1.005, 'decimal', '1.01'],
  [64198.4, 'money', '€64,198'],
  [-64198.4, 'money', '−€64,198'],
  [8833.06, 'money_exact', '€8,833.06'],
  [30.155, 'cpm', '30.16'],
  [0.0421, 'rate', '4.2%'],
  [0.256, 'share', '25.6%'],
  [0.0004, 'share', '<0.1%'],
  [-0.0004, 'rate', '>−0.1%'],
  [0.0005, 'rate', '0.1%'],
  [0, 'share', '0.0%'],
  [0.345, 'change', '+34.5%'],
  [-0.345, 'change', '−34.5%'],
  [[1, null, 8, 0], 'trend', '▂·█▁'],
  [[-2, 0, 2], 'trend', '▁▅█'],
  [[null, null], 'trend', '··'],
  [[0, 0], 'trend', '▁▁'],
  [[], 'trend', ''],
  [45, 'duration', '45 s'],
  [59.97, 'duration', '1 min 0 s'],
  [3599.6, 'duration', '1 h 0 min'],
  [-4980, 'duration', '−1 h 23 min'],
  [4_332_000, 'duration', '1,203 h 20 min'],
  [1.289, 'factor', '× 1.29'],
  [0.0121, 'pp', '+1.2 pp'],
  [-0.0121, 'pp', '−1.2 pp'],
  [0.0001, 'pp', '0.0 pp'],
  ['2025-09-01', 'month', 'Sep 2025'],
  ['2026-01-04', 'date', '4 Jan 2026'],
  ['2026-01-04T23:30:00Z', 'datetime', '5 Jan 2026, 00:30'],
  [1, 'weekday', 'Mon'],
  [8, 'hour', '08:00'],
  [true, 'boolean', 'yes'],
  [false, 'boolean', 'no'],
  [['a', 'b'], 'list', 'a, b'],
  [[], 'list', ''],
  ['=1', 'text', '=1'],
];

test.each(cases)('%s as %s is %s', (cell, format, text) => {
  expect(british.format(cell, format)).toBe(text);
});

const styled: [Cell, ColumnFormat, FormatStyle, string][] = [
  [9480, 'money', { compact: true }, '€9.5k'],
  [950, 'money_exact', { compact: true }, '€950'],
  [12_345n, 'count', { compact: true }, '12.3k'],
  [0.0121, 'pp', { prose: true }, '+1.2 percentage points'],
  [0.3, 'money', { prose: true }, '€0.30'],
  [0.256, 'share', { prose: true }, '26%'],
  [0.0144, 'share', { prose: true }, '1.4%'],
  [0.994, 'share', { prose: true }, '99%'],
  [0.997, 'share', { prose: true }, '99.7%'],
  [0.9997, 'share', { prose: true }, '>99.9%'],
  [0.9997, 'rate', {}, '>99.9%'],
  [1 - 1e-15, 'share', {}, '100.0%'],
  [1.0004, 'share', {}, '100.0%'],
  ['2025-09-01', 'month', { prose: true }, 'September 2025'],
  ['2026-01-04', 'date', { prose: true }, '4 January 2026'],
  ['2026-01-04T05:00:00Z', 'datetime', { prose: true }, '4 January 2026, 06:00'],
  [5, 'weekday', { prose: true }, 'Friday'],
];

test.each(styled)('%s as %s with %o is %s', (cell, format, style, text) => {
  expect(british.format(cell, format, style)).toBe(text);
});

describe('the locale decides how values are written', () => {
  test('in German', () => {
    expect(german.format(64198, 'money')).toBe('64.198\u00a0€');
    expect(german.format(0.0421, 'rate')).toBe('4,2\u00a0%');
    expect(german.format(0.0004, 'share')).toBe('<0,1\u00a0%');
  });

  test('in German, with English months and weekdays in an English report', () => {
    expect(german.format(1, 'weekday')).toBe('Mon');
    expect(german.format('2025-12-01', 'month', { prose: true })).toBe('December 2025');
    expect(german.format('2025-10-14T22:30:00Z', 'datetime')).toBe('15 Oct 2025, 00:30');
  });

  test('in German, with German months and words in a German report', () => {
    const phrases = new Map(Object.entries({ pp: 'PP', yes: 'ja' }));
    const language = { code: 'de', phrases };
    const austrian = createFormatter({ ...germany, locale: 'de-AT', language });
    const mixed = createFormatter({ ...germany, locale: 'en-US', language });
    expect(austrian.format(1, 'weekday')).toBe('Mo');
    expect(austrian.format('2025-01-01', 'month', { prose: true })).toBe('Jänner 2025');
    expect(mixed.format('2025-12-01', 'date')).toBe('1. Dez. 2025');
    expect(austrian.format(0.012, 'pp')).toBe('+1,2 PP');
    expect(austrian.format(true, 'boolean')).toBe('ja');
  });

  test('in American English', () => {
    expect(american.format('2026-01-04', 'date')).toBe('Jan 4, 2026');
    expect(american.format(64198, 'money')).toBe('$64,198');
  });

  test('in Swedish, with U+2212 as the minus', () => {
    expect(swedish.format(-5, 'count')).toBe('\u22125');
  });
});

test.each([
  ['en-GB', 'EUR', 1451.7, '€1.5k'],
  ['de-DE', 'EUR', 1451.7, '1.452 €'],
  ['de-DE', 'EUR', -14517.4, '−14.517 €'],
  ['de-DE', 'EUR', 1_451_700, '1,5 Mio. €'],
  ['de-DE', 'EUR', 4.25, '4,3 €'],
  ['ja-JP', 'JPY', 1451.7, '￥1,452'],
  ['ja-JP', 'JPY', 95.55, '￥96'],
  ['ja-JP', 'JPY', 14_517, '￥1.5万'],
] as const)('short money of %s in %s: %d is %s', (locale, currency, value, text) => {
  const formatter = createFormatter({ locale, currency, timezone: 'UTC' });
  const short = formatter.format(value, 'money', { compact: true });
  expect(short.replaceAll('\u00a0', ' ')).toBe(text);
});

describe('a phrase', () => {
  const phrases = new Map([
    ['{n:count} {n|post|posts} of {name:text}', '{n|Beitrag|Beiträge} von {name:text}: {n:count}'],
    [', among pages', ', unter Seiten'],
  ]);
  const { say } = createFormatter({ ...germany, language: { code: 'de', phrases } });

  test('is translated before its values are filled in, so that their order may change', () => {
    const phrase = '{n:count} {n|post|posts} of {name:text}';
    expect(british.say(phrase, { n: 1200, name: 'Acme' })).toBe('1,200 posts of Acme');
    expect(say(phrase, { n: 1200, name: 'Acme' })).toBe('Beiträge von Acme: 1.200');
    expect(say(phrase, { n: 1, name: 'Acme' })).toBe('Beitrag von Acme: 1');
  });

  test('may contain another phrase', () => {
    expect(say('9{among:phrase}', { among: ', among pages' })).toBe('9, unter Seiten');
    expect(say('9{among:phrase}', { among: '' })).toBe('9');
  });

  test('stays as it is without a translation, as does a placeholder without a value', () => {
    expect(say('{n:count} {other:count} {n:metres}', { n: 3 })).toBe('3 {other:count} {n:metres}');
  });

  test('fills in no placeholder that is part of a value', () => {
    expect(say('{name:text}', { name: '{n:count}', n: 1 })).toBe('{n:count}');
  });
});

test.each([
  [1234.5, '1,234.50'],
  [0.0142, '0.0142'],
  [-0.000_142_36, '−0.0001424'],
  [1e-30, '1.000e-30'],
  [0, '0.00'],
])('with four significant digits, %d is %s', (value, text) => {
  const options = { locale: 'en-US', currency: 'USD', timezone: 'UTC' };
  expect(createFormatter({ ...options, significantDigits: 4 }).format(value, 'decimal')).toBe(text);
  expect(createFormatter(options).format(1e-30, 'decimal')).toBe('0.00');
});
