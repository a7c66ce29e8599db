import type { StagedAsset } from '../post-details.ts';
import { fieldOf } from './own-field.ts';

/**
 * The assets in what an event says of a post's content, whatever shape that has: those that have an id,
 * with those of their values that fit. The content itself is kept as given.
 */
export function stageContentAssets(linkedIn: unknown, x: unknown): StagedAsset[] {
  const tweets = listOf(fieldOf(x, 'tweets'));
  const inTweets = tweets.flatMap((tweet) => listOf(fieldOf(tweet, 'assets')));
  return [
    ...listOf(fieldOf(linkedIn, 'assets')).flatMap((asset) => stageAsset(asset, 'LinkedIn')),
    ...inTweets.flatMap((asset) => stageAsset(asset, 'Twitter')),
  ];
}

function stageAsset(asset: unknown, channel: string): StagedAsset[] {
  const id = textOf(asset, 'id');
  if (!id) return [];
  const duration = fieldOf(asset, 'duration');
  return [
    {
      asset_id: id,
      channel,
      name: textOf(asset, 'name'),
      url: textOf(asset, 'url'),
      mimetype: textOf(asset, 'mimetype'),
      size: countOf(asset, 'size'),
      width: countOf(asset, 'width'),
      height: countOf(asset, 'height'),
      duration: Number.isFinite(duration) ? Number(duration) : null,
    },
  ];
}

function textOf(value: unknown, key: string): string | null {
  const field = fieldOf(value, key);
  return typeof field === 'string' ? field : null;
}

function countOf(value: unknown, key: string): number | null {
  const field = fieldOf(value, key);
  return Number.isSafeInteger(field) ? Number(field) : null;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
