import { invalid, nameIsDnsSubdomain, type FieldError, type KubeObject } from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { carryOver, keepMetadata } from '../prepare-update.ts';
import { sameFields } from '../same-fields.ts';
import { claimSpecInGo } from './claim-spec-in-go.ts';
import { validateClaimStatus, type ClaimStatus } from './claim-status-validation.ts';
import { setClaimDefaults, dropEmptyRequests, type ResourceClaimSpec } from './device-claim-fields.ts';
import { requestNames, validateClaimSpec } from './device-claim-validation.ts';

export const resourceClaimKind: KindBehavior = {
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceClaim',
  nameRule: nameIsDnsSubdomain,
  returnsDeletedObject: true,
  setDefaults: (object) => setClaimDefaults(specOf(object)),
  prepareForCreate(object) {
    object['status'] = {};
    dropEmptyRequests(specOf(object));
  },
  prepareForUpdate(object, old) {
    carryOver('status', object, old);
    if (sameFields(specOf(object), specOf(old))) dropEmptyRequests(specOf(object));
  },
  validate: (object, context) => validateClaimSpec(specOf(object), 'spec', context),
  validateUpdate: validateSameSpec,
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        carryOver('spec', object, old);
        keepMetadata(object, old);
      },
      validateUpdate(object, old) {
        const names = requestNames(specOf(object).devices ?? {});
        const isGoing = object.metadata.deletionTimestamp !== undefined;
        return validateClaimStatus(statusOf(object), statusOf(old), { names, isDeleting: isGoing });
      },
      resetFields: [['metadata'], ['spec']],
    },
  },
  columns: {
    definitions: [nameColumn, column('State', 'string', 'Whether devices are allocated and in use.'), ageColumn],
    cells: (object, now) => [object.metadata.name ?? '', stateText(object), age(object, now)],
  },
  resetFields: [['status']],
};

function specOf(object: KubeObject): ResourceClaimSpec {
  return (object as KubeObject & { readonly spec?: ResourceClaimSpec }).spec ?? {};
}

function statusOf(object: KubeObject): ClaimStatus {
  return (object as KubeObject & { readonly status?: ClaimStatus }).status ?? {};
}

/** The spec is immutable, so nothing else needs to be validated again. */
function validateSameSpec(object: KubeObject, old: KubeObject): FieldError[] {
  const spec = specOf(object);
  return sameFields(spec, specOf(old)) ? [] : [invalid('spec', claimSpecInGo(spec), 'field is immutable')];
}

function stateText(object: KubeObject): string {
  const { allocation, reservedFor = [] } = statusOf(object);
  const isGoing = object.metadata.deletionTimestamp !== undefined;
  const states = isGoing ? ['deleted'] : [];
  if (allocation !== undefined) states.push('allocated', ...(reservedFor.length > 0 ? ['reserved'] : []));
  else if (!isGoing) states.push('pending');
  return states.join(',');
}
