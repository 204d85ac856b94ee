import { invalid, nameIsDnsSubdomain, type FieldError, type KubeObject } from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';

interface LeaseFields {
  readonly spec?: LeaseSpec;
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly leaseTransitions?: number;
  strategy?: string;
  preferredHolder?: string;
}

export const leaseKind: KindBehavior = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  allowsShortFinalizers: true,
  nameRule: nameIsDnsSubdomain,
  createOnUpdate: true,
  requiresResourceVersion: true,
  prepareForCreate: dropCoordination,
  prepareForUpdate: dropCoordination,
  validate: validateLease,
  validateUpdate: validateLease,
  columns: {
    definitions: [nameColumn, column('Holder', 'string', 'The holder of the lease.'), ageColumn],
    cells: (object, now) => [object.metadata.name ?? '', specOf(object).holderIdentity ?? '', age(object, now)],
  },
};

/** Coordinated leader election is off by default, so its fields are dropped. */
function dropCoordination(object: KubeObject): void {
  const spec = specOf(object);
  delete spec.strategy;
  delete spec.preferredHolder;
}

function validateLease(object: KubeObject): FieldError[] {
  const { leaseDurationSeconds, leaseTransitions } = specOf(object);
  const errors: FieldError[] = [];
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
    errors.push(invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0'));
  }
  if (leaseTransitions !== undefined && leaseTransitions < 0) {
    errors.push(invalid('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0'));
  }
  return errors;
}

function specOf(object: KubeObject): LeaseSpec {
  return (object as KubeObject & LeaseFields).spec ?? {};
}
