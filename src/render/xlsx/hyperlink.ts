/** What Excel takes at most in one link; a longer one makes it repair the file. */
const maxLinkLength = 2_079;

/** Allowed by the URL standard, refused by the stricter rules that Office goes by. */
const unescaped = /[\\^`{|}\s]/gu;

/** The address when a workbook may link to it: http and https alone, short enough; else null. */
export function linkTarget(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const address = new URL(url);
  if (!['http:', 'https:'].includes(address.protocol)) return null;
  const target = address.href.replace(unescaped, encodeURIComponent);
  return target.length <= maxLinkLength ? target : null;
}
