import { apiErrors } from '@flotilla/kube';
import type { Call } from '../../call/call.ts';

/** How long a read waits for a revision that is not there yet: another replica may have given it out. */
const patienceMs = 3000;

export async function waitForRevision({ server, request }: Call, revision: number): Promise<void> {
  const { store } = server;
  if (revision <= store.revision) return;
  const waiting = new AbortController();
  const giveUp = (): void => waiting.abort();
  const cancel = server.after(patienceMs, giveUp);
  request.signal.addEventListener('abort', giveUp, { once: true });
  try {
    await store.waitFor(revision, waiting.signal);
  } catch {
    throw apiErrors.tooLargeResourceVersion(revision, store.revision);
  } finally {
    cancel();
    request.signal.removeEventListener('abort', giveUp);
  }
}
