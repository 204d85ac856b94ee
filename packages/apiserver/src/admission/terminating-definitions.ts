import { forbidden, type Admission } from './admission.ts';

/** Refuses creates of a kind whose definition is being deleted. */
export const terminatingDefinitions: Admission = {
  name: 'TerminatingDefinitions',
  admit(attributes) {
    const refusal = attributes.operation === 'CREATE' ? attributes.resource.createRefusal?.() : undefined;
    if (refusal !== undefined) throw forbidden(attributes, refusal);
  },
};
