import { nameIsDnsSubdomain, type FieldError, type KubeObject } from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { checkNotNegative } from '../core-pods/pod-validation/checks.ts';

interface Scale {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number };
}

/** The number of replicas of a workload, in one form for all workloads. Never stored. */
export const scaleKind: KindBehavior = {
  group: 'autoscaling',
  version: 'v1',
  kind: 'Scale',
  nameRule: nameIsDnsSubdomain,
  validate: validateReplicas,
  validateUpdate: validateReplicas,
  columns: {
    definitions: [
      column(nameColumn.name, nameColumn.type, nameColumn.description),
      column('Desired', 'integer', 'How many replicas there should be.'),
      column('Available', 'integer', 'How many replicas there are.'),
      ageColumn,
    ],
    cells(object, now) {
      const { spec, status } = object as KubeObject & Scale;
      return [object.metadata.name ?? '', spec?.replicas ?? 0, status?.replicas ?? 0, age(object, now)];
    },
  },
};

function validateReplicas(object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  checkNotNegative(errors, 'spec.replicas', (object as KubeObject & Scale).spec?.replicas);
  return errors;
}
