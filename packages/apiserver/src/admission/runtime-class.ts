import type { PodFields } from '@flotilla/builtins';
import { jsonEquals, quote, type KubeObject } from '@flotilla/kube';
import { forbidden, type Admission, type Attributes } from './admission.ts';
import { storedObject } from './stored-objects.ts';

interface RuntimeClassFields extends KubeObject {
  overhead?: { podFixed?: NonNullable<PodFields['spec']['overhead']> };
  scheduling?: { nodeSelector?: Record<string, string>; tolerations?: NonNullable<PodFields['spec']['tolerations']> };
}

/** A pod gets what its runtime class says about the nodes it can run on and what running it costs. */
export const runtimeClass: Admission = {
  name: 'RuntimeClass',
  admit(attributes) {
    const { resource, subresource, operation, object, server } = attributes;
    if (resource.collection !== 'pods' || subresource !== '' || operation !== 'CREATE') return;
    const { spec } = object as PodFields;
    const name = spec.runtimeClassName;
    if (name === undefined) return;
    const found: RuntimeClassFields | undefined = storedObject(server, 'runtimeclasses.node.k8s.io', name);
    if (!found) throw forbidden(attributes, `pod rejected: RuntimeClass ${quote(name)} not found`);
    setOverhead(attributes, spec, found);
    setScheduling(attributes, spec, found);
  },
  validate(attributes) {
    const { resource, subresource, operation, object } = attributes;
    if (resource.collection !== 'pods' || subresource !== '' || operation !== 'CREATE') return;
    const { spec } = object as PodFields;
    if (spec.runtimeClassName !== undefined || Object.keys(overheadOf(spec)).length === 0) return;
    throw forbidden(attributes, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
  },
};

type PodSpec = PodFields['spec'];

function overheadOf({ overhead = {} }: PodSpec): NonNullable<PodSpec['overhead']> {
  return overhead;
}

function setOverhead(attributes: Attributes, spec: PodSpec, { overhead }: RuntimeClassFields): void {
  if (!overhead) return;
  const { podFixed = {} } = overhead;
  const asked = overheadOf(spec);
  if (Object.keys(asked).length > 0 && !jsonEquals(asked, podFixed)) {
    throw forbidden(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  }
  spec.overhead = { ...podFixed };
}

function setScheduling(attributes: Attributes, spec: PodSpec, { scheduling }: RuntimeClassFields): void {
  if (!scheduling) return;
  const asked = new Map(Object.entries(spec.nodeSelector ?? {}));
  for (const [key, value] of Object.entries(scheduling.nodeSelector ?? {})) {
    const own = asked.get(key);
    if (own !== undefined && own !== value) {
      const both = `runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`;
      throw forbidden(attributes, `conflict: ${both}`);
    }
    asked.set(key, value);
  }
  if (asked.size > 0) spec.nodeSelector = Object.fromEntries(asked);
  for (const toleration of scheduling.tolerations ?? []) {
    if (!spec.tolerations?.some((other) => jsonEquals(other, toleration)))
      (spec.tolerations ??= []).push({ ...toleration });
  }
}
