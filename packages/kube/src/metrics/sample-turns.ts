/** Reading the clock around each run would cost more than many of them take. */
export const runsPerSample = 16;

/** Says which runs of something are timed: the first, and then one of several. */
export class SampleTurns {
  readonly #runsPerSample: number;
  #untilSample = 0;

  constructor(perSample = runsPerSample) {
    this.#runsPerSample = perSample;
  }

  /** Whether this run is one to time. */
  isDue(): boolean {
    if (--this.#untilSample >= 0) return false;
    this.#untilSample = this.#runsPerSample - 1;
    return true;
  }
}
