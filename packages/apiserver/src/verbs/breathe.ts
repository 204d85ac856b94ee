/** No turn of the event loop may take long: whoever walks many objects pauses, so that others get theirs. */
const turnMs = 8;

interface Breather {
  readonly isDue: () => boolean;
  readonly pause: () => Promise<void>;
}

export function pauseBetween(): Breather {
  let since = performance.now();
  let calls = 0;
  return {
    // Reading the clock costs as much as a step or two, so not every step looks.
    isDue: () => (++calls & 15) === 0 && performance.now() - since > turnMs,
    pause: async () => {
      await new Promise<void>((resolve) => setImmediate(resolve));
      since = performance.now();
    },
  };
}
