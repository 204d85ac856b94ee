import { apiErrors } from '@flotilla/kube';
import type { Call } from '../../call/call.ts';

/** How long a read waits for a future revision, which another replica may have returned. */
const maxWaitMs = 3000;

export async function waitForRevision({ server, request }: Call, revision: number): Promise<void> {
  const { store } = server;
  if (revision <= store.revision) return;
  const waiting = new AbortController();
  const stopWaiting = (): void => waiting.abort();
  const cancel = server.after(maxWaitMs, stopWaiting);
  request.signal.addEventListener('abort', stopWaiting, { once: true });
  try {
    await store.waitFor(revision, waiting.signal);
  } catch {
    throw apiErrors.tooLargeResourceVersion(revision, store.revision);
  } finally {
    cancel();
    request.signal.removeEventListener('abort', stopWaiting);
  }
}
