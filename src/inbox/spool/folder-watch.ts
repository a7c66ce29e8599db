import { systemClock } from '../../core/clock.ts';
import { statExisting } from './existing.ts';

/** File systems stamp in ticks of some milliseconds: a second change within one leaves the stamp as it is. */
const tickMs = 50;

/** Tells by a folder's modification time whether files came or went: one call, however many files there are. */
export class FolderWatch {
  readonly #folder: string;
  #stamp: bigint | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Looks into the folder when something may have changed since the last look; a folder that is not there has.
   * @returns whether it did
   */
  async whenChanged(look: () => Promise<void>): Promise<boolean> {
    const stamp = (await statExisting(this.#folder))?.mtimeNs ?? null;
    if (stamp !== null && stamp === this.#stamp) return false;
    // the operating system stamps files, so its clock judges them, whatever clock the caller has
    const ageMs = systemClock.now().getTime() - Number((stamp ?? 0n) / 1_000_000n);
    this.#stamp = null;
    await look();
    this.#stamp = ageMs > tickMs ? stamp : null;
    return true;
  }
}
