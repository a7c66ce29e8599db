import { z } from 'zod';
import { hintAmong } from '../core/nearest.ts';
import type { ConfigPath } from './config-error.ts';
import type { Frozen } from './frozen.ts';
import { readerCopyKeys, readerCopyOf } from './reader-copy.ts';
import {
  amount,
  bound,
  colorRule,
  currencyRule,
  dayRule,
  keyed,
  languageRule,
  localeRule,
  mailboxRule,
  pathRule,
  profilePatterns,
  quote,
  repeated,
  text,
  timeZone,
} from './value-kinds.ts';
import { profilesOf, type Workspaces } from './workspaces-schema.ts';

export const targetsSchema = z
  .strictObject({
    emv: amount('The EMV of a month').optional(),
    engagement_rate: z
      .number()
      .min(0)
      .max(1)
      .describe('The engagement rate, such as 0.03')
      .optional(),
    posts: amount('The number of posts of a month').optional(),
    impressions: amount('The impressions of a month').optional(),
  })
  .catchall(amount('A figure of `figures`, of a month'))
  .describe('The monthly targets that reports over all posts are measured against')
  .default({});

/** The figures that the API gives, by their names in `targets`. */
export const targetNames = Object.keys(targetsSchema.unwrap().shape);

export const figuresSchema = text(
  'A CSV or Parquet file of figures that the API does not give, such as followers: columns profile (may be empty), day or month, figure, value, kind (sum or last), and format (count or money) if wanted',
  pathRule,
).optional();

/** Refuses targets that no report has and no file can give. */
export function targetFindings(
  { targets, figures }: { readonly targets: object; readonly figures?: string | undefined },
  report: (path: ConfigPath, message: string) => void,
): void {
  if (figures !== undefined) return;
  for (const name of Object.keys(targets).filter((each) => !targetNames.includes(each)))
    report(
      ['targets', name],
      `unknown key; ${hintAmong(name, targetNames)}; a target of a figure of your own needs its file, in figures`,
    );
}

export const notesSchema = z
  .array(
    z.strictObject({
      date: text('The day', dayRule),
      text: text('What happened, such as New CPM agreed'),
    }),
  )
  .describe('Events that are marked by number in charts over time and listed below them')
  .default([]);

const brandKeys = {
  logo: text('An image file', pathRule).optional(),
  color: text('The brand colour, such as "#0b5fa5"', colorRule).optional(),
  product_mark: z
    .boolean()
    .describe(
      'True if reports name the program that made them; default: true, but false in reports for clients',
    )
    .optional(),
};
const clientBrandSchema = z.strictObject(brandKeys);

export const brandSchema = z.strictObject({
  name: text('The name in every report').optional(),
  ...brandKeys,
});

export interface Brand extends Frozen<ReturnType<typeof brandOf>> {}

/** @param absolute returns the absolute path of a file */
export function brandOf(
  brand: z.output<typeof brandSchema> & { readonly preparedBy?: string | undefined },
  absolute: (path: string) => string,
) {
  const { preparedBy } = brand;
  return {
    name: brand.name ?? null,
    logo: brand.logo === undefined ? null : absolute(brand.logo),
    /** A colour as `#rrggbb`. */
    color: brand.color ?? null,
    productMark: brand.product_mark ?? true,
    ...(preparedBy !== undefined && { preparedBy }),
  };
}

export const clientsSchema = bound(
  keyed(
    bound(
      z.strictObject({
        name: text('The name of the client in its reports'),
        prepared_by: text('The name in its reports of who prepares them').optional(),
        profiles: profilePatterns(
          'The only profiles in its reports: <workspace>/<profile name or id or *>',
        ),
        brand: clientBrandSchema
          .describe(
            'The look of its reports; color and product_mark default to those at the top level',
          )
          .prefault({}),
        prices: text('The price list at which every post of its reports is priced').optional(),
        targets: targetsSchema,
        figures: figuresSchema,
        notes: notesSchema,
        ...readerCopyKeys,
        to: z
          .array(text('A mail address, or "Name <address>"', mailboxRule))
          .describe('The recipients of its mail')
          .default([]),
        timezone: timeZone(
          'The timezone of its reports; default: that at the top level',
        ).optional(),
        locale: text(
          'The locale of its reports; default: that at the top level',
          localeRule,
        ).optional(),
        language: text(
          'The language of its reports; default: that at the top level',
          languageRule,
        ).optional(),
        currency: text(
          'The currency of its reports; default: that at the top level',
          currencyRule,
        ).optional(),
      }),
      targetFindings,
    ),
  ),
  (clients, report) => {
    // folders and files are named by clients, and some disks do not distinguish upper and lower case
    const keys = Object.keys(clients);
    for (const { index, first } of repeated(keys.map((key) => key.toLowerCase())))
      report(
        [keys[index] ?? ''],
        `differs from ${quote(keys[first] ?? '')} by upper and lower case alone, so their reports may be in one folder; rename one of them`,
      );
  },
);

export type ParsedClients = z.output<typeof clientsSchema>;

/** A recipient of reports, with settings that default to those at the top of the file. */
export interface ClientConfig extends Frozen<ReturnType<typeof clientOf>> {}

/** The settings at the top of the file, and what turns a written path and pattern into what it names. */
interface General {
  readonly brand?: z.output<typeof brandSchema> | undefined;
  readonly timezone: string;
  readonly locale: string;
  readonly language: string;
  readonly currency: string;
  readonly workspaces: Workspaces;
  /** The paths that clients give in `figures`; a path that two clients give is there twice. */
  readonly figures: readonly string[];
}

/** The file that `figures` of a client or job names. */
export interface FiguresFile {
  /** An absolute path. */
  readonly file: string;
  /** True if several clients have it, so that each row must name its profile. */
  readonly isShared: boolean;
}

export function clientOf(
  client: ParsedClients[string],
  key: string,
  general: General,
  absolute: (path: string) => string,
) {
  const { name, brand, prepared_by: preparedBy } = client;
  const { color, product_mark: productMark = false } = general.brand ?? {};
  const file = client.figures === undefined ? null : absolute(client.figures);
  const sharing = general.figures.filter((each) => absolute(each) === file);
  return {
    key,
    brand: brandOf({ color, product_mark: productMark, ...brand, name, preparedBy }, absolute),
    to: client.to,
    /** The name of the price list at which every post of its reports is priced; null to use the API's and profiles'. */
    prices: client.prices ?? null,
    /** The monthly targets of its reports, by figure. */
    targets: client.targets,
    /** Figures that the API does not give; null: none. */
    figures: file === null ? null : { file, isShared: sharing.length > 1 },
    /** Events that charts over time mark. */
    notes: client.notes,
    /** What it gets of its reports, unless these or a delivery say otherwise. */
    copy: readerCopyOf(client),
    timezone: client.timezone ?? general.timezone,
    locale: client.locale ?? general.locale,
    language: client.language ?? general.language,
    currency: client.currency ?? general.currency,
    profiles: profilesOf(client.profiles, general.workspaces),
  };
}
