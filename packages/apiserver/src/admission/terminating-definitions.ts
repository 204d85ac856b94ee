import { forbidden, type Admission, type Attributes } from './admission.ts';

/** Refuses creates of a kind whose definition is being deleted. */
export const terminatingDefinitions: Admission = {
  name: 'TerminatingDefinitions',
  operations: ['CREATE'],
  admit: refuseWhileTerminating,
  recheck: refuseWhileTerminating,
};

function refuseWhileTerminating(attributes: Attributes): void {
  const refusal = attributes.operation === 'CREATE' ? attributes.resource.createRefusal?.() : undefined;
  if (refusal !== undefined) throw forbidden(attributes, refusal);
}
