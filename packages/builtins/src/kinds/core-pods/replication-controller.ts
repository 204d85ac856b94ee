import {
  labelSelectorFromLabels,
  nameIsDnsSubdomain,
  required,
  type FieldError,
  type JsonObject,
  type KubeObject,
} from '@flotilla/kube';
import { age } from '../../columns/age.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../../columns/column-definition.ts';
import { containerImages, containerNames, wideContainersColumn, wideImagesColumn } from '../../columns/containers.ts';
import { labelsText } from '../../columns/labels-text.ts';
import type { KindBehavior } from '../../kind.ts';
import { podNameWarnings } from '../apps/replicas.ts';
import { validateReplicaStatus } from '../apps/replica-set.ts';
import { carryOver } from '../carried-over.ts';
import { bumpGenerationIf, startGeneration } from '../generation.ts';
import { dropGatedTemplateFields } from './gated-fields.ts';
import { setPodTemplateDefaults } from './pod-defaults.ts';
import type { PodTemplateFields } from './pod-fields.ts';
import { checkNotNegative } from './pod-validation/checks.ts';
import { checkPodTemplate, checkRunsForever, checkSelected } from './pod-validation/pod-template.ts';
import { templateWarnings } from './pod-warnings.ts';
import { semanticEqual } from './semantic-equal.ts';

interface ReplicationControllerFields extends KubeObject {
  spec: ReplicationControllerSpec;
  status?: Record<string, number | undefined>;
}

interface ReplicationControllerSpec extends JsonObject {
  replicas?: number;
  minReadySeconds?: number;
  selector?: Record<string, string>;
  template?: PodTemplateFields;
}

export const replicationControllerKind: KindBehavior = {
  group: '',
  version: 'v1',
  kind: 'ReplicationController',
  setDefaults,
  prepareForCreate(object) {
    object['status'] = { replicas: 0 };
    startGeneration(object);
    dropGatedTemplateFields((object as ReplicationControllerFields).spec.template);
  },
  prepareForUpdate(object, old) {
    carryOver('status', object, old);
    dropGatedTemplateFields((object as ReplicationControllerFields).spec.template);
    bumpGenerationIf(!semanticEqual(object['spec'], old['spec']), object, old);
  },
  validate,
  validateUpdate: validate,
  warnings(object, old) {
    const { template } = (object as ReplicationControllerFields).spec;
    if (old === undefined) return [...podNameWarnings(object), ...templateWarnings('spec.template', template)];
    if (object.metadata.generation === old.metadata.generation) return [];
    // Kubernetes looks at the old template here, not at the new one.
    return templateWarnings('spec.template', (old as ReplicationControllerFields).spec.template);
  },
  nameRule: nameIsDnsSubdomain,
  subresources: {
    status: {
      prepareForUpdate: (object, old) => carryOver('spec', object, old),
      validateUpdate: (object) => validateReplicaStatus(object as ReplicationControllerFields),
      resetFields: [['spec']],
    },
  },
  defaultPropagation: 'Orphan',
  fieldLabels: ['status.replicas'],
  selectableFields: (object) => ({
    'status.replicas': String((object as ReplicationControllerFields).status?.replicas ?? 0),
  }),
  columns: {
    definitions: [
      nameColumn,
      column('Desired', 'integer', 'How many pods are wanted.'),
      column('Current', 'integer', 'How many pods there are.'),
      column('Ready', 'integer', 'How many pods are ready.'),
      ageColumn,
      wideContainersColumn,
      wideImagesColumn,
      wideColumn('Selector', 'string', 'Which pods belong to the controller.'),
    ],
    cells(object, now) {
      const { metadata, spec, status = {} } = object as ReplicationControllerFields;
      const containers = spec.template?.spec.containers ?? undefined;
      return [
        metadata.name ?? '',
        spec.replicas ?? 0,
        status.replicas ?? 0,
        status.readyReplicas ?? 0,
        age(object, now),
        containerNames(containers),
        containerImages(containers),
        labelsText(spec.selector),
      ];
    },
  },
  resetFields: [['status']],
};

/** What the controller does not say about itself, its template says. */
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
