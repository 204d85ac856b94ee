import {
  keepPriority,
  resolvePriority,
  type PodFields,
  type PriorityClasses,
  type PriorityClassFields,
} from '@flotilla/builtins';
import { forbidden, type Admission, type AdmissionDependencies } from './admission.ts';
import { storedObject, storedObjects } from './stored-objects.ts';

const collection = 'priorityclasses.scheduling.k8s.io';

/** Sets the priority of a pod from its class, and allows only one default class. */
export const podPriority: Admission = {
  name: 'Priority',
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  admit(attributes) {
    const { resource, subresource, operation, object, oldObject, server } = attributes;
    if (resource.collection !== 'pods' || subresource !== '' || !object) return;
    const pod = object as PodFields;
    if (operation === 'UPDATE') return keepPriority(pod, oldObject as PodFields);
    const refusal = resolvePriority(pod, classesOf(server));
    if (refusal !== undefined) throw forbidden(attributes, refusal);
  },
  validate(attributes) {
    const { resource, operation, object, server } = attributes;
    if (resource.collection !== collection || object?.['globalDefault'] !== true) return;
    const known = classesOf(server).byDefault();
    if (known === undefined) return;
    const { name } = known.metadata;
    if (operation === 'UPDATE' && name === object.metadata.name) return;
    throw forbidden(attributes, `PriorityClass ${name} is already marked as default. Only one default can exist`);
  },
};

function classesOf(server: AdmissionDependencies): PriorityClasses {
  return {
    named: (name) => storedObject(server, collection, name) as PriorityClassFields | undefined,
    byDefault: () => lowest([...storedObjects(server, collection)] as unknown as PriorityClassFields[]),
  };
}

/** Two concurrent writers may each have created a default; the lower value counts. */
function lowest(classes: readonly PriorityClassFields[]): PriorityClassFields | undefined {
  return classes.filter(({ globalDefault }) => globalDefault === true).sort((a, b) => a.value - b.value)[0];
}
