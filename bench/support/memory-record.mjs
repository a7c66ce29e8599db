import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');

/** Memory of this process after a whole collection of garbage, from day to day. */
export class MemoryRecord {
  #samples = [];

  sample() {
    gc();
    const { rss: rssBytes, heapUsed: heapBytes, external: externalBytes } = process.memoryUsage();
    this.#samples.push({ rssBytes, heapBytes, externalBytes });
    return { rssBytes, heapBytes };
  }

  /** Means of the first and the last quarter, and by how much a day it grows after the warm-up. */
  figures(warmUpShare) {
    const count = this.#samples.length;
    const quarter = Math.ceil(count / 4);
    const warm = this.#samples.slice(Math.floor(count * warmUpShare));
    const of = (name) => ({
      firstQuarter: mean(this.#samples.slice(0, quarter).map((sample) => sample[name])),
      lastQuarter: mean(this.#samples.slice(-quarter).map((sample) => sample[name])),
    });
    return {
      rssBytes: of('rssBytes'),
      heapBytes: of('heapBytes'),
      rssBytesADay: slope(warm.map(({ rssBytes }) => rssBytes)),
      heapBytesADay: slope(warm.map(({ heapBytes }) => heapBytes)),
    };
  }
}

function mean(values) {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

/** Of the straight line through the values that misses them least. */
function slope(values) {
  const middle = (values.length - 1) / 2;
  const average = mean(values);
  let [above, below] = [0, 0];
  for (const [index, value] of values.entries()) {
    above += (index - middle) * (value - average);
    below += (index - middle) ** 2;
  }
  return below === 0 ? 0 : Math.round(above / below);
}
