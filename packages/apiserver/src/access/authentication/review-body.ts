/** Requests that are answered and not kept: what is asked stands in the body, and comes back with the answer. */
import { managerName, updateManagedFields, type KubeObject, type ManagedKind } from '@flotilla/kube';
import type { WriteOptions } from '../../http/write-options.ts';
import type { Call } from '../../verbs/context.ts';

/** Whoever asks is told which fields he set, as if the question had been kept. */
export function trackAsked(call: Call, managed: ManagedKind, object: KubeObject, options: WriteOptions): void {
  const manager = managerName(options.fieldManager, call.request.headers['user-agent'] ?? '');
  const now = call.server.now();
  const managedFields = updateManagedFields({ kind: managed, live: undefined, object, manager, now });
  if (managedFields) object.metadata.managedFields = managedFields;
}
