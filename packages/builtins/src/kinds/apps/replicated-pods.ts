/** What ReplicaSet and its predecessor ReplicationController have in common: everything except their selectors. */
import { nameIsDnsSubdomain, type FieldError, type JsonObject, type KubeObject } from '@flotilla/kube';
import {
  age,
  ageColumn,
  column,
  containerImages,
  containerNames,
  nameColumn,
  wideColumn,
  wideContainersColumn,
  wideImagesColumn,
} from '../../columns.ts';
import type { Columns, KindBehavior } from '../../kind.ts';
import { bumpGenerationIf, carryOver, startGeneration } from '../prepare-update.ts';
import { dropGatedTemplateFields } from '../core-pods/gated-fields.ts';
import type { PodTemplateFields } from '../core-pods/pod-fields.ts';
import { semanticEqual } from '../semantic-equal.ts';
import { checkCounts, checkParts } from './replicas.ts';

export interface ReplicatedPods<Spec extends ReplicatedPodsSpec> extends KubeObject {
  spec: Spec;
  status?: Record<string, number | undefined>;
}

export interface ReplicatedPodsSpec extends JsonObject {
  replicas?: number;
  minReadySeconds?: number;
  template?: PodTemplateFields;
}

type Fields = ReplicatedPods<ReplicatedPodsSpec>;

export const replicatedPods = {
  nameRule: nameIsDnsSubdomain,
  prepareForCreate(object) {
    object['status'] = { replicas: 0 };
    startGeneration(object);
    dropGatedTemplateFields((object as Fields).spec.template);
  },
  prepareForUpdate(object, old) {
    carryOver('status', object, old);
    dropGatedTemplateFields((object as Fields).spec.template);
    bumpGenerationIf(!semanticEqual(object['spec'], old['spec']), object, old);
  },
  subresources: {
    status: {
      prepareForUpdate: (object, old) => carryOver('spec', object, old),
      validateUpdate: validateStatus,
      resetFields: [['spec']],
    },
  },
  resetFields: [['status']],
} satisfies Partial<KindBehavior>;

/** `owner`: the kind's name in the description of the last column. */
export function replicatedPodsColumns(owner: string, selectorText: (object: KubeObject) => string): Columns {
  return {
    definitions: [
      nameColumn,
      column('Desired', 'integer', 'The desired number of pods.'),
      column('Current', 'integer', 'How many pods there are.'),
      column('Ready', 'integer', 'How many pods are ready.'),
      ageColumn,
      wideContainersColumn,
      wideImagesColumn,
      wideColumn('Selector', 'string', `Which pods belong to the ${owner}.`),
    ],
    cells(object, now) {
      const { metadata, spec, status = {} } = object as Fields;
      const containers = spec.template?.spec.containers ?? undefined;
      return [
        metadata.name ?? '',
        spec.replicas ?? 0,
        status.replicas ?? 0,
        status.readyReplicas ?? 0,
        age(object, now),
        containerNames(containers),
        containerImages(containers),
        selectorText(object),
      ];
    },
  };
}

function validateStatus(object: KubeObject): FieldError[] {
  const { status = {} } = object as Fields;
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
