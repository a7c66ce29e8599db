/** Marks style sheets for editors and the formatter; backslashes stay as they are. */
export const css = String.raw;

/** Without the white space that people read it by. */
export function compactStyles(styles: string): string {
  return styles
    .replace(/\s+/gu, ' ')
    .replace(/ ?([{};,]) ?/gu, '$1')
    .replace(/: /gu, ':')
    .replace(/;\}/gu, '}')
    .trim();
}
