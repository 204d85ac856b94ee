/** Documents are large, and nobody else should wait for them: they are made in steps, with pauses between. */
export type Steps<T> = Generator<void, T>;

/** A turn of the event loop may take so long. */
const turnMs = 5;

export async function inSteps<T>(steps: Steps<T>): Promise<T> {
  // Whoever makes many documents begins each in a turn of its own.
  await nextTurn();
  let since = performance.now();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (performance.now() - since > turnMs) {
      await nextTurn();
      since = performance.now();
    }
  }
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
