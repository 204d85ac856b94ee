import { forbidden, type Admission } from './admission.ts';

/** Nothing new is made of a kind that is on its way out. */
export const terminatingDefinitions: Admission = {
  name: 'TerminatingDefinitions',
  admit(attributes) {
    const refusal = attributes.operation === 'CREATE' ? attributes.resource.createRefusal?.() : undefined;
    if (refusal !== undefined) throw forbidden(attributes, refusal);
  },
};
