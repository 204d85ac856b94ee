/** For callbacks of the event loop, whose exceptions no caller catches: passes them to `fail`. */
export function guarded(work: () => void, fail: (error: unknown) => void): () => void {
  return () => {
    try {
      work();
    } catch (error) {
      fail(error);
    }
  };
}
