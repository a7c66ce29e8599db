import type { Paper } from '../config/config.ts';
import type { ReportDocument } from '../report/report-document.ts';

/** The countries whose usual paper is Letter, as CLDR lists them (supplemental data, `paperSize`). */
const letterCountries = 'BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' ');

/** The paper of a document: the one that jobs.yaml asks for, else that of the country of its locale. */
export function paperOf({ copy, locale }: Pick<ReportDocument, 'copy' | 'locale'>): Paper {
  const { region = '' } = new Intl.Locale(locale).maximize();
  return copy?.paper ?? (letterCountries.includes(region) ? 'letter' : 'a4');
}
