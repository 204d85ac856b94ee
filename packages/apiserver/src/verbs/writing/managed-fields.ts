/** Updates `metadata.managedFields` for a create, an update or a patch. */
import { managerName, updateManagedFields, type KubeObject } from '@flotilla/kube';
import type { Call } from '../../call/call.ts';
import type { WriteOptions } from '../../request/write-options.ts';
import { endpointOf, type Endpoint } from '../../resources/endpoint.ts';

/** The manager of a new object owns all of its fields. */
export function setManagedFields(
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

/** A change of a stored object. */
interface Change {
  readonly endpoint: Endpoint;
  /** The object before the write. */
  readonly live: KubeObject;
  /** The object after the write. Its managedFields are edited. */
  readonly object: KubeObject;
  /** The object with its empty lists, which have owners though they are not stored; `object` if absent. */
  readonly asWritten?: KubeObject;
  readonly options: Pick<WriteOptions, 'fieldManager'>;
  readonly now: Date;
  /** Whether `live` was stored in another version or by another schema. */
  readonly isReread?: boolean;
}

/** Sets the managedFields of `object` to those after this write, and returns it. */
export function withManagedFields(call: Call, change: Change): KubeObject {
  const { endpoint, live, object, asWritten = object, options, now, isReread = false } = change;
  const managedFields = updateManagedFields({
    kind: endpoint.managed,
    live,
    object: asWritten,
    manager: managerOf(call, options),
    now,
    // Built-in kinds need no check: decoding ensures their types.
    isReread: isReread && call.resource.isUnstructured,
  });
  if (managedFields) object.metadata.managedFields = managedFields;
  else delete object.metadata.managedFields;
  return object;
}

function managerOf({ request }: Call, { fieldManager }: Pick<WriteOptions, 'fieldManager'>): string {
  return managerName(fieldManager, request.headers['user-agent'] ?? '');
}
