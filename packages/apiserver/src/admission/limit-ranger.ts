import type { PodFields } from '@flotilla/builtins';
import { forbidden, type Admission, type Attributes } from './admission.ts';
import { claimRefusals, podRefusals } from './limit-range-constraints.ts';
import { setResourceDefaults } from './limit-range-defaults.ts';
import type { ClaimFields, LimitRangeFields } from './limit-range-fields.ts';

/** Limits and defaults the resources of containers, pods and claims in a namespace. */
export const limitRanger: Admission = {
  name: 'LimitRanger',
  operations: ['CREATE', 'UPDATE'],
  admit(attributes) {
    if (attributes.resource.collection !== 'pods' || !isLimited(attributes)) return;
    for (const range of rangesOf(attributes)) setResourceDefaults(attributes.object as PodFields, range);
  },
  validate(attributes) {
    if (!isLimited(attributes)) return;
    const { resource, object } = attributes;
    for (const range of rangesOf(attributes)) {
      const refusals =
        resource.collection === 'pods'
          ? podRefusals(object as PodFields, range)
          : claimRefusals(object as ClaimFields, range);
      if (refusals.length > 0) throw forbidden(attributes, joined(refusals));
    }
  },
};

/** Only a resize changes the resources of an existing pod. */
function isLimited({ resource, subresource, operation, oldObject }: Attributes): boolean {
  if (oldObject?.metadata.deletionTimestamp) return false;
  if (operation !== 'CREATE' && operation !== 'UPDATE') return false;
  if (resource.collection === 'pods') return subresource === (operation === 'CREATE' ? '' : 'resize');
  return resource.collection === 'persistentvolumeclaims' && subresource === '';
}

function rangesOf({ server, namespace }: Attributes): readonly LimitRangeFields[] {
  return server.limitRanges.in(namespace).map(({ value }) => value);
}

/** Joins like Go's aggregated errors: each message once, in brackets if there are several. */
function joined(refusals: readonly string[]): string {
  const [first = '', ...others] = new Set(refusals);
  return others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
}
