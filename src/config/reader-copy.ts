import { z } from 'zod';
import { hintAmong } from '../core/nearest.ts';
import type { ConfigPath, Finding } from './config-error.ts';
import { quote, text } from './value-kinds.ts';

const papers = ['a4', 'letter'] as const;
export type Paper = (typeof papers)[number];

/** The keys that say what a reader gets of reports, whatever their data files hold. */
export const readerCopyKeys = {
  sections: z
    .array(text('A section, as by_profile, or <report>/<section>').transform(namedSection))
    .min(1)
    .describe(
      'The sections that page, PDF, workbook, mail and terminal show, in this order; a report of which none is named keeps all of them, and data files always do',
    )
    .optional(),
  appendix: z.boolean().describe('True if the appendix is printed, too').optional(),
  paper: z
    .enum(papers)
    .describe('The paper of PDF and workbook; default: letter where the locale’s country uses it')
    .optional(),
};

/** What a reader gets of reports. A key that is left out is as the client or the defaults have it. */
export interface ReaderCopy {
  readonly sections?: readonly NamedSection[];
  readonly appendix?: boolean;
  readonly paper?: Paper;
}

/** Returns the keys that say what a reader gets, without those that are left out. */
export function readerCopyOf({
  sections,
  appendix,
  paper,
}: { readonly [Key in keyof ReaderCopy]?: ReaderCopy[Key] | undefined }): ReaderCopy {
  return {
    ...(sections !== undefined && { sections }),
    ...(appendix !== undefined && { appendix }),
    ...(paper !== undefined && { paper }),
  };
}

/** A section of a report; of any that has it where the report is null. */
export interface NamedSection {
  readonly report: string | null;
  readonly section: string;
}

function namedSection(name: string): NamedSection {
  const slash = name.indexOf('/');
  return slash < 0
    ? { report: null, section: name }
    : { report: name.slice(0, slash), section: name.slice(slash + 1) };
}

/** The sections of reports by the name of the report. A report that cannot be read is not in it. */
export type KnownSections = ReadonlyMap<string, readonly string[]>;

/**
 * Refuses sections that none of the reports has.
 * @param path the path of what has the list
 * @param reports the names of the reports that the list is for
 * @param known null: they are not known, so that names are not checked
 */
export function sectionFindings(
  { sections = [] }: { readonly sections?: ReaderCopy['sections'] | undefined },
  path: ConfigPath,
  reports: readonly string[],
  known: KnownSections | null,
): Finding[] {
  if (known === null || reports.some((report) => !known.has(report))) return [];
  const names = reports.flatMap((report) =>
    (known.get(report) ?? []).map((section) => ({ report, section })),
  );
  return sections.flatMap((wanted, index) => {
    const isKnown = names.some(
      ({ report, section }) =>
        section === wanted.section && (wanted.report === null || report === wanted.report),
    );
    if (isKnown) return [];
    const all = names.map(({ report, section }) =>
      wanted.report === null ? section : `${report}/${section}`,
    );
    const name = wanted.report === null ? wanted.section : `${wanted.report}/${wanted.section}`;
    const message = `no section ${quote(name)} in ${[...new Set(reports)].join(', ')}; ${hintAmong(name, all)}`;
    return [{ path: [...path, 'sections', index], message }];
  });
}
