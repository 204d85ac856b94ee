import { addDefaultTolerations, type PodFields } from '@flotilla/builtins';
import type { Admission } from './admission.ts';

export const defaultTolerations: Admission = {
  name: 'DefaultTolerationSeconds',
  admit({ resource, subresource, operation, object }) {
    const isWrite = operation === 'CREATE' || operation === 'UPDATE';
    if (resource.collection === 'pods' && subresource === '' && isWrite) addDefaultTolerations(object as PodFields);
  },
};
