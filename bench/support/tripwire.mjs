/** Steps that a process takes towards others, and where they are counted. */
export const outsideSteps = ['request', 'mail', 'upload'];

/** Counts what one process asks of others at a time, and kills it at one of these steps. */
export class Tripwire {
  #counts = zeros();
  #armed = null;

  /** @param kill `{point, nth, side}`; null or of another kind of point: only counts */
  begin(kill, child) {
    this.#counts = zeros();
    this.#armed = kill && outsideSteps.includes(kill.point) ? { ...kill, child } : null;
  }

  /** @returns how many steps of each kind there were */
  end() {
    this.#armed = null;
    return this.#counts;
  }

  /** A step whose answer is given by `work`: a kill is before that, or after it. */
  async pass(point, work = () => undefined) {
    this.#counts[point] += 1;
    const { nth, side, child } = this.#armed?.point === point ? this.#armed : {};
    const isHere = nth === this.#counts[point];
    if (isHere && side === 'before') child.kill();
    const result = await work();
    if (isHere && side === 'after') child.kill();
    return result;
  }
}

function zeros() {
  return Object.fromEntries(outsideSteps.map((name) => [name, 0]));
}
