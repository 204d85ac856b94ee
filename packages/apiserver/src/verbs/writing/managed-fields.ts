/** Notes in `metadata.managedFields` which manager owns which fields after a create, an update or a patch. */
import { managerName, updateManagedFields, type KubeObject } from '@flotilla/kube';
import type { Call } from '../../call/call.ts';
import type { WriteOptions } from '../../request/write-options.ts';
import { endpointOf, type Endpoint } from '../../resources/endpoint.ts';

/** The manager of a new object owns all of its fields. */
export function trackFields(
  call: Call,
  object: KubeObject,
  asWritten: KubeObject,
  options: WriteOptions,
  now: Date,
): void {
  const endpoint = endpointOf(call.resource, '');
  if (!endpoint) return;
  const managedFields = updateManagedFields({
    kind: endpoint.managed,
    live: undefined,
    object: asWritten,
    manager: managerOf(call, options),
    now,
  });
  if (managedFields) object.metadata.managedFields = managedFields;
  else delete object.metadata.managedFields;
}

/** A change of an object that is stored. */
interface Change {
  readonly endpoint: Endpoint;
  /** The object before the write. */
  readonly live: KubeObject;
  /** The object after it, which is edited. */
  readonly object: KubeObject;
  /** The object with empty lists that are owned, though not stored; `object` if absent. */
  readonly asWritten?: KubeObject;
  readonly options: Pick<WriteOptions, 'fieldManager'>;
  readonly now: Date;
  /** Whether `live` was stored in another version or by another schema. */
  readonly isReread?: boolean;
}

/** The object with its managedFields as they are after this write. */
export function withOwners(call: Call, change: Change): KubeObject {
  const { endpoint, live, object, asWritten = object, options, now, isReread = false } = change;
  const managedFields = updateManagedFields({
    kind: endpoint.managed,
    live,
    object: asWritten,
    manager: managerOf(call, options),
    now,
    // Decoding makes sure of the types of built-in kinds.
    isReread: isReread && call.resource.isUnstructured,
  });
  if (managedFields) object.metadata.managedFields = managedFields;
  else delete object.metadata.managedFields;
  return object;
}

function managerOf({ request }: Call, { fieldManager }: Pick<WriteOptions, 'fieldManager'>): string {
  return managerName(fieldManager, request.headers['user-agent'] ?? '');
}
