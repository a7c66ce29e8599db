let segmenter: Intl.Segmenter | null = null;

/**
 * Divides a text into characters as people count them. The segmenter is made for the first text: that takes longer than
 * many commands.
 */
export function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}
