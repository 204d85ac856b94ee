/** Work that the event loop calls: there is no caller who could catch what it throws, so `fail` gets it. */
export function guarded(work: () => void, fail: (error: unknown) => void): () => void {
  return () => {
    try {
      work();
    } catch (error) {
      fail(error);
    }
  };
}
