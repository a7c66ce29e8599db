import type { Asset } from '../../api/schemas/posts.ts';
import { foreignName } from './foreign-text.ts';
import { isTableFitting, recordLines, type Records } from './records.ts';
import { nothing, type ViewPlace } from './view-place.ts';

/** The files of a post; their addresses are left out of a table that would not fit with them. */
export function assetLines(assets: readonly Asset[], place: ViewPlace): string[] {
  if (assets.length === 0) return [];
  const full: Records = {
    heads: ['File', 'Type', 'Size', 'Pixels', 'Duration', 'URL'],
    rows: assets.map((asset) => assetCells(asset, place)),
  };
  const short: Records = {
    heads: full.heads.slice(0, -1),
    rows: full.rows.map((row) => row.slice(0, -1)),
  };
  const isShort = !isTableFitting(full, place) && isTableFitting(short, place);
  return recordLines(isShort ? short : full, place);
}

function assetCells(asset: Asset, { locale }: ViewPlace): string[] {
  return [
    foreignName(asset.name),
    foreignName(asset.mimetype),
    fileSize(asset.size, locale),
    asset.width > 0 && asset.height > 0 ? `${asset.width}×${asset.height}` : nothing,
    playingTime(asset.duration),
    foreignName(asset.url),
  ];
}

function fileSize(bytes: number, locale: string): string {
  const isMegabytes = bytes >= 1e6;
  const unit = isMegabytes ? 'megabyte' : 'kilobyte';
  const number = new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 });
  return number.format(bytes / (isMegabytes ? 1e6 : 1e3));
}

/** `1:05`, and `1:02:05` from an hour on. */
function playingTime(duration: number | null): string {
  if (duration === null || duration < 0) return nothing;
  const seconds = Math.round(duration);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  if (seconds >= 3600) parts.unshift(Math.floor(seconds / 3600));
  return parts.map((part, index) => String(part).padStart(index === 0 ? 1 : 2, '0')).join(':');
}
