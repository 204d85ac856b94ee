/** How a binding changes: each function returns one write. All but creates carry what was observed. */
import {
  bindingFinalizer,
  deletePropagationAnnotation,
  placementLabel,
  previousBindingStateAnnotation,
  type Binding,
  type PlacementFamily,
} from '@flotilla/api';
import { apiVersionOf, type JsonObject, type ObjectKey } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
import type { BindingChange } from '@flotilla/scheduler';
import { bindingName } from './binding-name.ts';
import type { SchedulingState } from './scheduling-state.ts';

type ChangeOf<T extends BindingChange['type']> = BindingChange & { readonly type: T };

export function writeOf(state: SchedulingState, uid: string, change: BindingChange): Write {
  const { family } = state;
  switch (change.type) {
    case 'create':
      return createBinding(state, uid, change);
    case 'patch':
      return patchBinding(family, change);
    case 'unschedule':
      return unscheduleBinding(family, change.binding);
    case 'release':
      return releaseBinding(family, change.binding);
  }
}

function createBinding({ family, key, holderOf }: SchedulingState, uid: string, change: ChangeOf<'create'>): Write {
  const { kind } = family.binding;
  const { namespace, name: placement } = key;
  const name = bindingName({ name: placement, uid }, change.cluster, holderOf);
  const metadata = {
    ...(namespace !== undefined && { namespace }),
    name,
    labels: { [placementLabel]: placement },
    finalizers: [bindingFinalizer],
  };
  const object: Binding = { apiVersion: apiVersionOf(family.binding), kind, metadata, spec: change.spec };
  return { verb: 'create', kind: family.binding, object };
}

function patchBinding(family: PlacementFamily, { binding, spec, isRestored }: ChangeOf<'patch'>): Write {
  const annotations = isRestored ? { [previousBindingStateAnnotation]: null } : undefined;
  return patchOf(family, binding, { ...(annotations && { annotations }) }, { ...spec });
}

/** KubeFleet replaces all annotations here. Ours stay. */
function unscheduleBinding(family: PlacementFamily, binding: Readonly<Binding>): Write {
  const annotations = { [previousBindingStateAnnotation]: binding.spec.state };
  return patchOf(family, binding, { annotations }, { state: 'Unscheduled' });
}

/** Removes the scheduler's finalizer. The works controller's stays until the Works are gone. */
export function releaseBinding(family: PlacementFamily, binding: Readonly<Binding>, isAbandoned = false): Write {
  const finalizers = (binding.metadata.finalizers ?? []).filter((finalizer) => finalizer !== bindingFinalizer);
  const annotations = isAbandoned ? { [deletePropagationAnnotation]: 'Abandon' } : undefined;
  return patchOf(family, binding, { finalizers, ...(annotations && { annotations }) });
}

export function deleteBinding(family: PlacementFamily, { metadata }: Readonly<Binding>): Write {
  return { verb: 'delete', kind: family.binding, key: keyOf(metadata), uid: metadata.uid ?? '' };
}

function patchOf(
  { binding: kind }: PlacementFamily,
  { metadata }: Readonly<Binding>,
  changes: JsonObject,
  spec?: JsonObject,
): Write {
  const { resourceVersion = '' } = metadata;
  const patch = { metadata: { ...changes, resourceVersion }, ...(spec && { spec }) };
  return { verb: 'patch', kind, key: keyOf(metadata), patch };
}

function keyOf({ namespace, name = '' }: Binding['metadata']): ObjectKey {
  return { namespace, name };
}
