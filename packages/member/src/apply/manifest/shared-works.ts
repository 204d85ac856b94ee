import type { Work } from '@flotilla/api';
import { onceForEqual, type JsonValue } from '@flotilla/kube';
import type { Excerpt } from '@flotilla/runtime';
import { willBeShared } from './known-manifests.ts';

/** So many different parts: the Works of a thousand placements that change together. */
const keptParts = 4096;

const sharedSpec = onceForEqual((spec: NonNullable<Work['spec']>) => {
  willBeShared(spec.workload?.manifests ?? []);
  return spec;
}, keptParts);

const once = onceForEqual((value: JsonValue) => value, keptParts);
const shared = <Value extends JsonValue>(value: Value): Value => once(value) as Value;

/**
 * Works without managedFields. The agents of a thread keep equal specs, statuses and annotations once: those of a placement's Works
 * are the same for most of its members, and are most of a Work.
 */
export const sharedWorks: Excerpt = {
  name: 'shared',
  of: (object) => {
    const { metadata, spec, status, ...work }: Work = object;
    const { managedFields: _, annotations, ...kept } = metadata;
    return {
      ...work,
      metadata: { ...kept, ...(annotations && { annotations: shared(annotations) }) },
      ...(spec && { spec: sharedSpec(spec) }),
      ...(status && { status: shared(status) }),
    };
  },
};
