import type { Log } from '../../core/log.ts';
import { beginningOf } from '../../core/shown-value.ts';
import type { EventFigures } from './merge-events.ts';

/** Warns of events that somebody has to do something about, and says what. */
export function tellOfEvents(log: Log, { told, foreignSlugs, rejectedReason }: EventFigures): void {
  if (told.rejected > 0) {
    log.warn(
      { rejected: told.rejected, for_example: rejectedReason },
      'some events do not fit their type and were rejected; `postledger webhooks list --outcome rejected` has why, and after an upgrade `postledger webhooks replay --rejected` tries them again',
    );
  }
  if (foreignSlugs.length > 0) {
    log.warn(
      { slugs: foreignSlugs.map(beginningOf) },
      'events of workspaces that are not configured were kept; to apply them, give the workspace that slug in jobs.yaml (workspaces.<key>.slug) and run `postledger load`',
    );
  }
}
