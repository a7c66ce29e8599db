/** Marks style sheets for editors and the formatter; backslashes stay as they are. */
export const css = String.raw;

/** Without the comments and white space that people read it by; strings in it are changed too. */
export function compactStyles(styles: string): string {
  return styles
    .replace(/\/\*.*?\*\//gsu, '')
    .replace(/\s+/gu, ' ')
    .replace(/ ?([{};,]) ?/gu, '$1')
    .replace(/: /gu, ':')
    .replace(/;\}/gu, '}')
    .trim();
}
