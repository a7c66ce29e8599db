import { once } from '../core/once.ts';
import { type Language, english, placeholder, translate } from './phrases.ts';
import { isolate } from './text-direction.ts';

const figureFormats = [
  'count',
  'decimal',
  'money',
  'money_exact',
  'cpm',
  'rate',
  'share',
  'duration',
  'factor',
  'pp',
  'change',
] as const;
export type FigureFormat = (typeof figureFormats)[number];

/** The formats of days, weekdays and hours. */
export const timeFormats = ['month', 'quarter', 'date', 'datetime', 'weekday', 'hour'] as const;

/**
 * The formats in which a column's values are printed, each with the type of its cells:
 *
 * - text, longtext, url: string
 * - list: string[]
 * - count: number, or bigint beyond 2^53
 * - decimal, money (aggregates, without cents), money_exact (single posts, with cents), cpm (two decimals),
 *   rate (0.042 = 4.2%), share (0.3 = 30%, drawn with an in-cell bar), duration (seconds), factor (× 1.29),
 *   pp (0.012 = +1.2 pp), change (0.345 = +34.5%): number
 * - trend: (number | null)[], in order, with null for a gap
 * - month (YYYY-MM-01), quarter (its first day), date (YYYY-MM-DD), datetime (ISO 8601 in UTC, ending in Z): string
 * - weekday (1 = Monday), hour (0 to 23): number
 * - boolean: boolean
 */
export const columnFormats = [
  'text',
  'longtext',
  'url',
  'list',
  ...figureFormats,
  'trend',
  ...timeFormats,
  'boolean',
] as const;
export type ColumnFormat = (typeof columnFormats)[number];

/** A value of a report. Null is an unknown value, never 0. */
export type Cell =
  string | number | bigint | boolean | readonly string[] | readonly (number | null)[] | null;

/** The text that is printed for null. */
const nullMark = '–';

/**
 * The decimals of a document's sums of money and of its rates, and whether its durations are whole seconds (1) or the two
 * largest units (0).
 */
export interface Precision {
  readonly money?: number | undefined;
  readonly rate?: number | undefined;
  readonly duration?: number | undefined;
}

export interface FormatterOptions {
  /** A BCP 47 tag. */
  readonly locale: string;
  /** An ISO 4217 code. */
  readonly currency: string;
  /** An IANA name. It applies to `datetime` alone, since days and months have no zone. */
  readonly timezone: string;
  /** The language of words and of names of months. The default is English. */
  readonly language?: Language;
  /** The least number of significant digits of decimals, which have two decimal places or more. */
  readonly significantDigits?: number;
  /** The decimals of figures. By default sums under 10 have their cents in sentences. */
  readonly precision?: Precision;
  /** True if times have their offset from UTC, as on a terminal. */
  readonly hasOffsets?: boolean;
}

export interface FormatStyle {
  /** Shortens counts and money (`€9.5k`), for charts only. */
  readonly compact?: boolean;
  /** Writes values as in a sentence: small ones exactly, shares as whole percents, and full names of months. */
  readonly prose?: boolean;
  /** Writes sums under 10 to the cent, and counts under 10 that are no whole numbers with a decimal. */
  readonly small?: boolean;
}

/** Formats cells in one locale and phrases in one language. Null is `–`, and a minus is U+2212. */
export interface Formatter {
  format(cell: Cell, format: ColumnFormat, style?: FormatStyle): string;
  /**
   * Translates a phrase into the report's language and fills in its placeholders. Values that run from right to
   * left are isolated, so that a name at the beginning of a sentence does not change its direction. A placeholder
   * without a value stays as it is.
   */
  readonly say: (phrase: string, values?: Readonly<Record<string, Cell>>) => string;
}

type Print = (cell: Exclude<Cell, null>, style: FormatStyle) => string;

export function createFormatter(options: FormatterOptions): Formatter {
  const { language = english } = options;
  const print = {
    ...textPrinters,
    boolean: (cell) => translate(cell === true ? 'yes' : 'no', language),
    ...numberPrinters(options),
    ...timePrinters(options),
  } satisfies Record<ColumnFormat, Print>;
  const format: Formatter['format'] = (cell, kind, style = {}) =>
    cell === null ? nullMark : print[kind](cell, style);
  const say: Formatter['say'] = (phrase, values = {}) =>
    translate(phrase, language).replace(
      placeholder,
      (written: string, name: string, kind?: string, one?: string, many?: string) => {
        const value = Object.hasOwn(values, name) ? values[name] : undefined;
        if (value === undefined) return written;
        if (kind === undefined) {
          const number = format(value, 'count', { prose: true });
          const isOne = number === format(1, 'count');
          return ((isOne ? one : many) ?? '').replaceAll('#', () => number);
        }
        if (kind === 'phrase') return value === null ? '' : say(String(value), values);
        return isFormat(kind) ? isolate(format(value, kind, { prose: true })) : written;
      },
    );
  return { format, say };
}

/** True for figures, which are right-aligned. Everything else, including dates, weekdays and hours, is left-aligned. */
export function isFigureFormat(format: ColumnFormat): format is FigureFormat {
  return (figureFormats as readonly string[]).includes(format);
}

export function isFormat(text: string): text is ColumnFormat {
  return (columnFormats as readonly string[]).includes(text);
}

const textPrinters = {
  text: String,
  longtext: String,
  url: String,
  list: (cell) => (Array.isArray(cell) ? cell.join(', ') : String(cell)),
  trend: (cell) => (Array.isArray(cell) ? sparkText(cell) : String(cell)),
} satisfies Partial<Record<ColumnFormat, Print>>;

function numberPrinters({
  locale,
  currency,
  language = english,
  significantDigits,
  precision = {},
}: FormatterOptions) {
  const number = (options: Intl.NumberFormatOptions): Print => numberPrinter(locale, options);
  const styled = (plain: Print, compact: Print): Print => {
    return (cell, style) => (style.compact ? compact : plain)(cell, style);
  };
  const money = { style: 'currency', currency } as const;
  const percentOf = (decimals: number) => {
    const step = 10 ** -(decimals + 2);
    return neverWhole(neverZero(number({ style: 'percent', ...digits(decimals) }), step), 1 - step);
  };
  const percent = percentOf(1);
  const points = number({ signDisplay: 'exceptZero', ...digits(1) });
  const decimal =
    significantDigits === undefined
      ? number(digits(2))
      : significantPrinter(significantDigits, number);
  const count = number({ maximumFractionDigits: 0 });
  const part = neverZero(number(digits(1)), 0.1);
  const shortMoney = shortPrinter(locale, money);
  const exactMoney = number(money);
  const cents = neverZero(exactMoney, smallestSum(currency));
  const wholeMoney = number({ ...money, ...digits(0) });
  const { money: decimals } = precision;
  const sums =
    decimals === undefined
      ? smallPrinter(styled(wholeMoney, shortMoney), cents)
      : styled(decimals > 0 ? cents : neverZero(wholeMoney, 1), shortMoney);
  return {
    count: smallPrinter(styled(count, shortPrinter(locale, {})), (cell, style) =>
      (Number.isInteger(Number(cell)) ? count : part)(cell, style),
    ),
    decimal,
    money: sums,
    money_exact: styled(exactMoney, shortMoney),
    cpm: decimal,
    rate: percentOf(precision.rate ?? 1),
    share: shareInProse(percent, number({ style: 'percent', maximumFractionDigits: 0 })),
    duration: durationPrinter(
      count,
      number({ maximumFractionDigits: 1 }),
      precision.duration === 1,
    ),
    factor: (cell, style) => `× ${decimal(cell, style)}`,
    pp: (cell, style) => {
      const unit = translate(style.prose === true ? 'percentage points' : 'pp', language);
      return `${points(Number(cell) * 100, style)} ${unit}`;
    },
    change: number({ style: 'percent', signDisplay: 'exceptZero', ...digits(1) }),
  } satisfies Partial<Record<ColumnFormat, Print>>;
}

/** Prints values under 10 in another way where a style asks for it. */
function smallPrinter(print: Print, small: Print): Print {
  return (cell, style) => {
    const isSmall = style.prose === true || style.small === true;
    return (isSmall && Math.abs(Number(cell)) < 10 ? small : print)(cell, style);
  };
}

/** A cent, or what a currency has instead. */
function smallestSum(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return 10 ** -(format.resolvedOptions().maximumFractionDigits ?? 2);
}

const sparkMarks = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** Draws a bar for each value, from 0 or the smallest value to the largest, and a dot for a gap. */
function sparkText(cells: readonly unknown[]): string {
  const values = cells.map((cell) => (typeof cell === 'number' ? cell : null));
  const known = values.filter((value) => value !== null);
  const least = Math.min(0, ...known);
  const range = Math.max(...known) - least;
  const last = sparkMarks.length - 1;
  return values
    .map((value) => {
      if (value === null) return '·';
      return sparkMarks[range > 0 ? Math.round(((value - least) / range) * last) : 0];
    })
    .join('');
}

function digits(count: number) {
  return { minimumFractionDigits: count, maximumFractionDigits: count };
}

function numberPrinter(locale: string, options: Intl.NumberFormatOptions): Print {
  // Intl's formatters are slow to create, and most tables use few of them.
  // The option `negative` prints no sign for a negative value that rounds to 0.
  const formatter = once(
    () => new Intl.NumberFormat(locale, { signDisplay: 'negative', ...options }),
  );
  return (cell) => {
    // A decimal in a text is printed with all its digits.
    const value = typeof cell === 'number' || typeof cell === 'bigint' ? cell : decimalOf(cell);
    // Formatting by parts takes several times as long, and only a minus sign needs it.
    if (Number(value) >= 0) return formatter().format(value);
    return formatter().formatToParts(value).map(typeset).join('');
  };
}

function decimalOf(cell: Cell): number | Intl.StringNumericLiteral {
  const text = String(cell);
  return /^-?\d+(?:\.\d+)?$/u.test(text) ? (text as `${number}`) : Number(cell);
}

/** The most decimals that Intl prints; smaller values are printed with an exponent. */
const maxDecimals = 20;

/** Prints two decimals, and more where a small value needs them for that many significant digits. */
function significantPrinter(
  significant: number,
  number: (options: Intl.NumberFormatOptions) => Print,
): Print {
  const printer = once((decimals: number) =>
    number({ ...digits(2), maximumFractionDigits: decimals }),
  );
  return (cell, style) => {
    const whole = Math.floor(Math.log10(Math.abs(Number(cell) || 1))) + 1;
    const decimals = Math.max(2, significant - whole);
    if (decimals > maxDecimals) return Number(cell).toPrecision(significant);
    return printer(decimals)(cell, style);
  };
}

/**
 * Prints `€9.5k` if the locale shortens such a figure, and `9.512 €` if it has no word for thousands. It never
 * prints more decimals than the currency has.
 */
function shortPrinter(locale: string, unit: Intl.NumberFormatOptions): Print {
  const shortest = once(
    () => new Intl.NumberFormat(locale, { ...unit, ...shortDigits(1), notation: 'compact' }),
  );
  const whole = numberPrinter(locale, { ...unit, ...digits(0) });
  const small = once(() => {
    const { maximumFractionDigits = 0 } = new Intl.NumberFormat(locale, unit).resolvedOptions();
    const most = Math.min(1, maximumFractionDigits);
    return numberPrinter(locale, { ...unit, ...shortDigits(most) });
  });
  return (cell, style) => {
    const parts = shortest().formatToParts(typeof cell === 'bigint' ? cell : Number(cell));
    if (parts.some(({ type }) => type === 'compact')) return parts.map(typeset).join('');
    return Math.abs(Number(cell)) < 1000 ? small()(cell, style) : whole(cell, style);
  };
}

function shortDigits(most: number) {
  return { minimumFractionDigits: 0, maximumFractionDigits: most };
}

function typeset({ type, value }: Intl.NumberFormatPart): string {
  if (type === 'minusSign') return value.replace('-', '\u2212');
  return type === 'compact' && value === 'K' ? 'k' : value;
}

/** Prints a value that is not 0 but would print as 0 as `<0.1%` or `>−0.1%`. @param step the smallest printed value */
function neverZero(print: Print, step: number): Print {
  return (cell, style) => {
    const value = Number(cell);
    const text = print(cell, style);
    const isLost = value !== 0 && [print(0, style), print(-0, style)].includes(text);
    if (!isLost) return text;
    return value > 0 ? `<${print(step, style)}` : `>${print(-step, style)}`;
  };
}

/** Prints a share under 1 that would print as 100% as `>99.9%`. @param most the largest printed value under 1 */
function neverWhole(print: Print, most: number): Print {
  return (cell, style) => {
    const text = print(cell, style);
    return isPart(Number(cell)) && text === print(1, style) ? `>${print(most, style)}` : text;
  };
}

/** True if a share is under 1 by more than the rounding error of a sum. */
function isPart(share: number): boolean {
  return share < 1 - 1e-9;
}

/** Rounds shares in sentences to whole percents (26%), but not 1.4% or 99.7%, where that would be misleading. */
function shareInProse(exact: Print, whole: Print): Print {
  return (cell, style) => {
    const share = Number(cell);
    const isCoarse = style.prose === true && Math.abs(share) >= 0.1;
    const text = (isCoarse ? whole : exact)(cell, style);
    return isCoarse && isPart(share) && text === whole(1, style) ? exact(cell, style) : text;
  };
}

/** Prints the two largest units, rounded to the smaller of them, or all: `45 s`, `3 min 20 s`, `1 h 23 min`, `1 h 23 min 4 s`. */
function durationPrinter(count: Print, seconds: Print, hasSeconds: boolean): Print {
  const print = (value: number): string => {
    if (value < 0) return `\u2212${print(-value)}`;
    if (Math.round(value * 10) < 600) return `${seconds(value, {})} s`;
    const whole = Math.round(value);
    if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
    const minutes = hasSeconds ? Math.floor(whole / 60) : Math.round(value / 60);
    const rest = hasSeconds ? ` ${whole % 60} s` : '';
    return `${count(Math.floor(minutes / 60), {})} h ${minutes % 60} min${rest}`;
  };
  return (cell) => print(Number(cell));
}

function timePrinters(options: FormatterOptions) {
  const { timezone, hasOffsets = false } = options;
  const printer = (parts: Intl.DateTimeFormatOptions) => datePrinter(dateLocale(options), parts);
  // a month or weekday has its full name in a sentence, else the short one
  const named = (name: 'month' | 'weekday', parts: Intl.DateTimeFormatOptions) => {
    const short = printer({ timeZone: 'UTC', ...parts, [name]: 'short' });
    const long = printer({ timeZone: 'UTC', ...parts, [name]: 'long' });
    return (instant: Date, { prose }: FormatStyle) => (prose ? long : short)(instant);
  };
  const day = { day: 'numeric', year: 'numeric' } as const;
  const monthPrinter = named('month', { year: 'numeric' });
  const dayPrinter = named('month', day);
  const zonedDay = named('month', { ...day, timeZone: timezone });
  const offset = hasOffsets ? ({ timeZoneName: 'longOffset' } as const) : {};
  const clock = once(() => {
    const hours = hasHalfDays(options)
      ? ({ hour: 'numeric', hourCycle: 'h12' } as const)
      : ({ hour: '2-digit', hourCycle: 'h23' } as const);
    const minute = hasHalfDays(options) ? {} : ({ minute: '2-digit' } as const);
    return {
      time: printer({ ...hours, minute: '2-digit', ...offset, timeZone: timezone }),
      hour: printer({ ...hours, ...minute, timeZone: 'UTC' }),
    };
  });
  const weekday = named('weekday', {});
  return {
    month: (cell, style) => monthPrinter(new Date(String(cell)), style),
    quarter: (cell) => {
      const [year = '', month = ''] = String(cell).split('-');
      return `Q${Math.ceil(Number(month) / 3)} ${year}`;
    },
    date: (cell, style) => dayPrinter(new Date(String(cell)), style),
    datetime: (cell, style) => {
      const instant = new Date(String(cell));
      const clockTime = clock().time(instant).replace(/GMT$/, '+00:00').replace('GMT', '');
      return `${zonedDay(instant, style)}, ${clockTime}`;
    },
    weekday: (cell, style) => weekday(dayOfWeek(Number(cell)), style),
    hour: (cell) => clock().hour(new Date(Date.UTC(2024, 0, 1, Number(cell)))),
  } satisfies Partial<Record<ColumnFormat, Print>>;
}

/**
 * Returns the locale of dates. Names of months and weekdays are in the report's language, whatever the locale of
 * its numbers. If that locale is of another language, English dates begin with the day, as in Britain.
 */
export function dateLocale({
  locale,
  language = english,
}: Pick<FormatterOptions, 'locale' | 'language'>): string {
  if (new Intl.Locale(locale).language === language.code) return locale;
  return language.code === 'en' ? 'en-GB' : language.code;
}

/** True if the clock of the locale has 12 hours: `3:05 PM`. */
export function hasHalfDays(options: Pick<FormatterOptions, 'locale' | 'language'>): boolean {
  const format = new Intl.DateTimeFormat(dateLocale(options), { hour: 'numeric' });
  return format.resolvedOptions().hour12 === true;
}

/**
 * Prints `Sep` for September; some versions of the British locale data have `Sept`. The narrow blank before `PM`, which
 * many fonts lack, becomes the usual one.
 */
export function datePrinter(locale: string, options: Intl.DateTimeFormatOptions) {
  const formatter = once(() => new Intl.DateTimeFormat(locale, options));
  return (instant: Date): string =>
    formatter()
      .format(instant)
      .replace(/\bSept\b/, 'Sep')
      .replace('\u202f', '\u00a0');
}

/** Returns a day of that weekday, where 1 is Monday, as 1 January 2024 was. */
function dayOfWeek(weekday: number): Date {
  return new Date(Date.UTC(2024, 0, weekday));
}
