/** Lets others have their turn of the event loop: work on very many objects pauses now and then. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
