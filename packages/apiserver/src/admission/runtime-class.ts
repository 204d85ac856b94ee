import { applyRuntimeClass, overheadRefusal, type PodFields, type RuntimeClassFields } from '@flotilla/builtins';
import { forbidden, type Admission, type Attributes } from './admission.ts';
import { storedObject } from './stored-objects.ts';

/** A pod gets what its runtime class says about the nodes it can run on and what running it costs. */
export const runtimeClass: Admission = {
  name: 'RuntimeClass',
  admit: (attributes) => ask(attributes, applyRuntimeClass),
  validate: (attributes) => ask(attributes, overheadRefusal),
};

/** Both questions answer with why a new pod is forbidden, if it is. */
function ask(attributes: Attributes, question: typeof applyRuntimeClass): void {
  const { resource, subresource, operation, object, server } = attributes;
  if (resource.collection !== 'pods' || subresource !== '' || operation !== 'CREATE') return;
  const find = (name: string): RuntimeClassFields | undefined =>
    storedObject(server, 'runtimeclasses.node.k8s.io', name);
  const refusal = question(object as PodFields, find);
  if (refusal !== undefined) throw forbidden(attributes, refusal);
}
