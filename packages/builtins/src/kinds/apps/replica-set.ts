import type { FieldError, LabelSelectorObject } from '@flotilla/kube';
import { selectorCell } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { setTemplateDefaultsOf } from '../core-pods/pod-defaults.ts';
import type { PodTemplateFields } from '../core-pods/pod-fields.ts';
import { checkNotNegative } from '../core-pods/pod-validation/checks.ts';
import { templateWarnings } from '../core-pods/pod-warnings.ts';
import { checkSameSelector, podNameWarnings } from './replicas.ts';
import {
  replicatedPods,
  replicatedPodsColumns,
  type ReplicatedPods,
  type ReplicatedPodsSpec,
} from './replicated-pods.ts';
import { checkSelectedTemplate } from './selected-template.ts';

type ReplicaSetFields = ReplicatedPods<ReplicaSetSpec>;

interface ReplicaSetSpec extends ReplicatedPodsSpec {
  selector?: LabelSelectorObject | null;
  template: PodTemplateFields;
}

export const replicaSetKind: KindBehavior = {
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  ...replicatedPods,
  setDefaults(object) {
    const spec = ((object as ReplicaSetFields).spec ??= {} as ReplicaSetSpec);
    spec.replicas ??= 1;
    setTemplateDefaultsOf(spec);
  },
  validate(object) {
    const errors: FieldError[] = [];
    checkSpec(errors, (object as ReplicaSetFields).spec);
    return errors;
  },
  validateUpdate(object, old) {
    const errors: FieldError[] = [];
    const { spec } = object as ReplicaSetFields;
    checkSpec(errors, spec);
    checkSameSelector(errors, spec.selector, (old as ReplicaSetFields).spec.selector);
    return errors;
  },
  warnings(object, old) {
    const { template } = (object as ReplicaSetFields).spec;
    if (old === undefined) return [...podNameWarnings(object), ...templateWarnings('spec.template', template)];
    return object.metadata.generation === old.metadata.generation ? [] : templateWarnings('spec.template', template);
  },
  columns: replicatedPodsColumns('set', (object) => selectorCell((object as ReplicaSetFields).spec.selector)),
};

function checkSpec(errors: FieldError[], spec: ReplicaSetSpec): void {
  checkNotNegative(errors, 'spec.replicas', spec.replicas);
  checkNotNegative(errors, 'spec.minReadySeconds', spec.minReadySeconds);
  // Kubernetes' message about an empty selector says deployment here too.
  checkSelectedTemplate(errors, spec, 'deployment');
}
