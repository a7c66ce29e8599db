import type { LoadSummary } from '../load/load-landed.ts';

/** One line that says what a load did. */
export function loadSentence(summary: LoadSummary): string {
  if (summary.responses === 0 && !summary.isPublished) return 'Nothing new to load.';
  const { posts } = summary;
  const parts = [
    `${plural(summary.responses, 'response')} loaded`,
    `posts: ${posts.new} new, ${posts.changed} changed, ${posts.unchanged} unchanged`,
  ];
  if (summary.rejected > 0) parts.push(`${plural(summary.rejected, 'record')} rejected`);
  if (summary.damaged > 0) parts.push(`${plural(summary.damaged, 'damaged file')} set aside`);
  if (summary.inProgress > 0) parts.push('a run under way was left alone');
  return `${parts.join(' · ')}.`;
}

/** `1 window`, `2 windows`. */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
