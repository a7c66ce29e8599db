/**
 * Returns the candidate that is nearest to `text`, or null if none is near. Letter case is ignored, and a third of
 * the letters, but at least two, may be wrong, missing or additional.
 */
function nearest(text: string, candidates: Iterable<string>): string | null {
  const wanted = text.toLowerCase();
  let best: string | null = null;
  let leastEdits = Math.max(2, Math.floor(text.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - text.length) >= leastEdits) continue;
    const edits = editDistance(wanted, candidate.toLowerCase());
    if (edits < Math.min(leastEdits, candidate.length)) {
      best = candidate;
      leastEdits = edits;
    }
  }
  return best;
}

/** Returns a hint such as `did you mean "size_days"?`, or an empty text. */
export function didYouMean(text: string, candidates: Iterable<string>): string {
  const candidate = nearest(text, candidates);
  return candidate === null ? '' : `did you mean ${JSON.stringify(candidate)}?`;
}

/** The most names that a hint lists. */
const mostListed = 20;

/** Returns a hint with the nearest name, or with the known names. */
export function hintAmong(text: string, known: readonly string[]): string {
  if (known.length === 0) return 'none is known';
  const names = [...new Set(known)];
  const more = names.length > mostListed ? ` and ${names.length - mostListed} more` : '';
  return didYouMean(text, names) || `known are ${names.slice(0, mostListed).join(', ')}${more}`;
}

/** Computes the Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let rowIndex = 0; rowIndex < from.length; rowIndex += 1) {
    const next = [rowIndex + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = cell(row, column - 1) + (from[rowIndex] === to[column - 1] ? 0 : 1);
      next.push(Math.min(cell(row, column) + 1, cell(next, column - 1) + 1, replaced));
    }
    row = next;
  }
  return cell(row, to.length);
}

function cell(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
