import { managedFieldsFault, type KubeObject, type ManagedFieldsEntry } from '@flotilla/kube';
import { admit, type Admitted, type Attributes } from '../../admission/admission.ts';
import type { Call } from '../../call/call.ts';
import { dedupeOwners, setNamespace } from './metadata.ts';

type WrittenAttributes = Attributes & { readonly object: KubeObject };

/** Runs the plugins that may change the object, and repairs what a webhook or a policy must not break. */
export function admitObject(call: Call, attributes: WrittenAttributes): Admitted {
  const { managedFields } = attributes.object.metadata;
  const waiting = admit(attributes);
  if (waiting instanceof Promise) return waiting.then(() => repair(call, attributes, managedFields));
  repair(call, attributes, managedFields);
}

function repair(call: Call, attributes: WrittenAttributes, before: ManagedFieldsEntry[] | undefined): void {
  const { object, reinvocation, warnings } = attributes;
  if (!reinvocation?.shouldReinvoke) return;
  setNamespace(call, object);
  dedupeOwners(object.metadata, warnings, 'mutation');
  const fault = managedFieldsFault(object.metadata.managedFields ?? []);
  if (fault === undefined) return;
  if (before) object.metadata.managedFields = before;
  else delete object.metadata.managedFields;
  warnings.push(
    `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${fault}`,
  );
}
