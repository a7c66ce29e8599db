/** The size of all text in charts, in px at the drawn width. */
const chartTextSize = 13;

/** About how wide a figure or a short word is set, in px: wide enough for every font of the stack. */
export function textWidth(text: string): number {
  const widths = Array.from(text, (character) => {
    if (/[.,:’' ]/u.test(character)) return 0.3;
    return /[%mMW]/u.test(character) ? 0.9 : 0.63;
  });
  return widths.reduce((sum, width) => sum + width, 0) * chartTextSize;
}

/** To a tenth of a px: enough for the eye, and short. */
export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
