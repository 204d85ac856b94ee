import { join } from 'node:path';
import { Recordings } from '../clients/recordings.ts';

/** Of kube-controller-manager. */
export const recordings = new Recordings(join(import.meta.dirname, 'recorded'));
