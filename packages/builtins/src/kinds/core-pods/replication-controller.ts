import { labelSelectorFromLabels, required, type FieldError, type KubeObject } from '@flotilla/kube';
import { labelsText } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { podNameWarnings } from '../apps/replicas.ts';
import {
  replicatedPods,
  replicatedPodsColumns,
  type ReplicatedPods,
  type ReplicatedPodsSpec,
} from '../apps/replicated-pods.ts';
import { setPodTemplateDefaults } from './pod-defaults.ts';
import { checkNotNegative } from './pod-validation/checks.ts';
import { checkPodTemplate, checkRunsForever, checkSelected } from './pod-validation/pod.ts';
import { templateWarnings } from './pod-warnings.ts';

type ReplicationControllerFields = ReplicatedPods<ReplicationControllerSpec>;

interface ReplicationControllerSpec extends ReplicatedPodsSpec {
  selector?: Record<string, string>;
}

export const replicationControllerKind: KindBehavior = {
  group: '',
  version: 'v1',
  kind: 'ReplicationController',
  ...replicatedPods,
  setDefaults,
  validate,
  validateUpdate: validate,
  warnings(object, old) {
    const { template } = (object as ReplicationControllerFields).spec;
    if (old === undefined) return [...podNameWarnings(object), ...templateWarnings('spec.template', template)];
    if (object.metadata.generation === old.metadata.generation) return [];
    // Kubernetes passes the old template here, not the new one.
    return templateWarnings('spec.template', (old as ReplicationControllerFields).spec.template);
  },
  defaultPropagation: 'Orphan',
  fieldLabels: ['status.replicas'],
  selectableFields: (object) => ({
    'status.replicas': String((object as ReplicationControllerFields).status?.replicas ?? 0),
  }),
  columns: replicatedPodsColumns('controller', (object) =>
    labelsText((object as ReplicationControllerFields).spec.selector),
  ),
};

/** Labels and selector default to those of the template. */
function setDefaults(object: KubeObject): void {
  const spec = ((object as ReplicationControllerFields).spec ??= {});
  const labels = spec.template?.metadata?.labels;
  if (labels !== undefined) {
    if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
    if (Object.keys(object.metadata.labels ?? {}).length === 0) object.metadata.labels = { ...labels };
  }
  spec.replicas ??= 1;
  if (spec.template !== undefined) setPodTemplateDefaults(spec.template);
}

function validate(object: KubeObject): FieldError[] {
  const { replicas, minReadySeconds, selector = {}, template } = (object as ReplicationControllerFields).spec;
  const errors: FieldError[] = [];
  checkNotNegative(errors, 'spec.minReadySeconds', minReadySeconds);
  const isEmpty = Object.keys(selector).length === 0;
  if (isEmpty) errors.push(required('spec.selector'));
  checkNotNegative(errors, 'spec.replicas', replicas);
  if (template === undefined) return [...errors, required('spec.template')];
  if (!isEmpty) checkSelected(errors, 'spec.template', template, labelSelectorFromLabels(selector));
  checkPodTemplate(errors, 'spec.template', template);
  checkRunsForever(errors, 'spec.template', template, 'ReplicationController');
  return errors;
}
