import {
  nameIsDnsSubdomain,
  type FieldError,
  type JsonObject,
  type KubeObject,
  type LabelSelectorObject,
} from '@flotilla/kube';
import { age } from '../../columns/age.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../../columns/column-definition.ts';
import { containerImages, containerNames, wideContainersColumn, wideImagesColumn } from '../../columns/containers.ts';
import { selectorCell } from '../../columns/selector-text.ts';
import type { KindBehavior } from '../../kind.ts';
import { carryOver } from '../carried-over.ts';
import { dropGatedTemplateFields } from '../core-pods/gated-fields.ts';
import { setTemplateDefaultsOf } from '../core-pods/pod-defaults.ts';
import type { PodTemplateFields } from '../core-pods/pod-fields.ts';
import { checkNotNegative } from '../core-pods/pod-validation/checks.ts';
import { templateWarnings } from '../core-pods/pod-warnings.ts';
import { semanticEqual } from '../core-pods/semantic-equal.ts';
import { bumpGenerationIf, startGeneration } from '../generation.ts';
import { checkCounts, checkParts, checkSameSelector, podNameWarnings } from './replicas.ts';
import { checkSelectedTemplate } from './selected-template.ts';

interface ReplicaSetFields extends KubeObject {
  spec: ReplicaSetSpec;
  status?: Record<string, number | undefined>;
}

interface ReplicaSetSpec extends JsonObject {
  replicas?: number;
  minReadySeconds?: number;
  selector?: LabelSelectorObject | null;
  template: PodTemplateFields;
}

export const replicaSetKind: KindBehavior = {
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  setDefaults(object) {
    const spec = ((object as ReplicaSetFields).spec ??= {} as ReplicaSetSpec);
    spec.replicas ??= 1;
    setTemplateDefaultsOf(spec);
  },
  prepareForCreate(object) {
    object['status'] = { replicas: 0 };
    startGeneration(object);
    dropGatedTemplateFields((object as ReplicaSetFields).spec.template);
  },
  prepareForUpdate(object, old) {
    carryOver('status', object, old);
    dropGatedTemplateFields((object as ReplicaSetFields).spec.template);
    bumpGenerationIf(!semanticEqual(object['spec'], old['spec']), object, old);
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
  nameRule: nameIsDnsSubdomain,
  subresources: {
    status: {
      prepareForUpdate: (object, old) => carryOver('spec', object, old),
      validateUpdate: (object) => validateReplicaStatus(object as ReplicaSetFields),
      resetFields: [['spec']],
    },
  },
  columns: {
    definitions: [
      nameColumn,
      column('Desired', 'integer', 'How many pods are wanted.'),
      column('Current', 'integer', 'How many pods there are.'),
      column('Ready', 'integer', 'How many pods are ready.'),
      ageColumn,
      wideContainersColumn,
      wideImagesColumn,
      wideColumn('Selector', 'string', 'Which pods belong to the set.'),
    ],
    cells(object, now) {
      const { metadata, spec, status = {} } = object as ReplicaSetFields;
      const containers = spec.template.spec.containers ?? undefined;
      return [
        metadata.name ?? '',
        spec.replicas ?? 0,
        status.replicas ?? 0,
        status.readyReplicas ?? 0,
        age(object, now),
        containerNames(containers),
        containerImages(containers),
        selectorCell(spec.selector),
      ];
    },
  },
  resetFields: [['status']],
};

function checkSpec(errors: FieldError[], spec: ReplicaSetSpec): void {
  checkNotNegative(errors, 'spec.replicas', spec.replicas);
  checkNotNegative(errors, 'spec.minReadySeconds', spec.minReadySeconds);
  // The sentence about an empty selector speaks of deployments here too.
  checkSelectedTemplate(errors, spec, 'deployment');
}

/** Replication controllers have the same counts. */
export function validateReplicaStatus({ status = {} }: Pick<ReplicaSetFields, 'status'>): FieldError[] {
  const errors: FieldError[] = [];
  checkCounts(errors, status, [
    'replicas',
    'fullyLabeledReplicas',
    'readyReplicas',
    'availableReplicas',
    'observedGeneration',
    'terminatingReplicas',
  ]);
  const parts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];
  checkParts(errors, status, parts, 'replicas', 'status.replicas');
  checkParts(errors, status, ['availableReplicas'], 'readyReplicas', 'readyReplicas');
  return errors;
}
