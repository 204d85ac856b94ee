import type { Store } from '../store/store.ts';
import type { AdmissionDependencies } from './admission.ts';
import type { LimitRangeFields } from './limit-range-fields.ts';
import { NamespacedObjects } from './namespaced-objects.ts';
import { parseQuota, quotaCollection } from './quota/parse-quota.ts';

/** What plugins read of a namespace for every write in it. */
export function objectsInNamespaces(store: Store): Pick<AdmissionDependencies, 'quotas' | 'limitRanges'> {
  return {
    quotas: new NamespacedObjects(store, quotaCollection, parseQuota),
    limitRanges: new NamespacedObjects(store, 'limitranges', (object): LimitRangeFields => object),
  };
}
