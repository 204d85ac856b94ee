import {
  forbidden,
  invalid,
  labelSelectorFrom,
  nameIsDnsLabel,
  notSupported,
  pushAll,
  required,
  validateAnnotations,
  validateLabels,
  validateLabelSelector,
  type FieldError,
  type JsonObject,
  type KubeObject,
  type LabelSelectorObject,
} from '@flotilla/kube';
import {
  age,
  ageColumn,
  column,
  containerImages,
  containerNames,
  nameColumn,
  wideContainersColumn,
  wideImagesColumn,
} from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { claimWarnings } from '../core-pods/volume-warnings.ts';
import { dropGatedTemplateFields } from '../core-pods/gated-fields.ts';
import { internalSelector, invalidInternal } from '../core-pods/internal/internal-form.ts';
import { setTemplateDefaultsOf } from '../core-pods/pod-defaults.ts';
import type { PodTemplateFields } from '../core-pods/pod-fields.ts';
import { checkAnnotations } from '../core-pods/pod-validation/annotations.ts';
import { checkDnsLabel, checkNotNegative } from '../core-pods/pod-validation/checks.ts';
import { checkPodTemplate, checkRunsForever, checkSelected, isEmptySelector } from '../core-pods/pod-validation/pod.ts';
import { templateWarnings } from '../core-pods/pod-warnings.ts';
import { setClaimSpecDefaults } from '../core-pods/volume-defaults.ts';
import type { ClaimSpecFields } from '../core-pods/volume-fields.ts';
import { checkClaimSpec } from '../core-volumes/claim-spec.ts';
import { bumpGenerationIf, carryOver, startGeneration } from '../prepare-update.ts';
import { semanticEqual } from '../semantic-equal.ts';
import { checkCollisionCount, checkCounts, checkParts } from './replicas.ts';

export const statefulSetKind: KindBehavior = {
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  setDefaults,
  prepareForCreate(object) {
    object['status'] = { replicas: 0, availableReplicas: 0 };
    startGeneration(object);
    dropGated((object as StatefulSetFields).spec);
  },
  prepareForUpdate(object, old) {
    carryOver('status', object, old);
    dropGated((object as StatefulSetFields).spec);
    bumpGenerationIf(!semanticEqual(object['spec'], old['spec']), object, old);
  },
  validate(object) {
    const errors: FieldError[] = [];
    checkStatefulSetSpec(errors, (object as StatefulSetFields).spec, true);
    return errors;
  },
  validateUpdate(object, old) {
    const errors: FieldError[] = [];
    const { spec } = object as StatefulSetFields;
    checkStatefulSetSpec(errors, spec, false);
    checkStatefulSetChange(errors, spec, (old as StatefulSetFields).spec);
    return errors;
  },
  warnings(object, old) {
    const { template, volumeClaimTemplates = [], revisionHistoryLimit = 0 } = (object as StatefulSetFields).spec;
    const isSame = old !== undefined && object.metadata.generation === old.metadata.generation;
    const warnings = isSame ? [] : templateWarnings('spec.template', template);
    volumeClaimTemplates.forEach(({ spec }, i) => {
      // Kubernetes' path is that of the claim on create, and that of its spec on update.
      const field = `spec.volumeClaimTemplates[${i}]`;
      pushAll(warnings, claimWarnings(old === undefined ? field : `${field}.Spec`, spec));
    });
    if (revisionHistoryLimit >= 0) return warnings;
    const effect = 'a negative value retains all historical revisions; a value >= 0 is recommended';
    return [...warnings, `spec.revisionHistoryLimit: ${effect}`];
  },
  nameRule: nameIsDnsLabel,
  subresources: {
    status: {
      prepareForUpdate: (object, old) => carryOver('spec', object, old),
      validateUpdate: (object, old) => validateStatus(object as StatefulSetFields, old as StatefulSetFields),
      resetFields: [['spec']],
    },
  },
  columns: {
    definitions: [
      nameColumn,
      column('Ready', 'string', 'Ready and desired pods.'),
      ageColumn,
      wideContainersColumn,
      wideImagesColumn,
    ],
    cells(object, now) {
      const { metadata, spec, status = {} } = object as StatefulSetFields;
      const containers = spec.template.spec.containers ?? undefined;
      const ready = `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`;
      return [metadata.name ?? '', ready, age(object, now), containerNames(containers), containerImages(containers)];
    },
  },
  resetFields: [['status']],
};

function setDefaults(object: KubeObject): void {
  const spec = ((object as StatefulSetFields).spec ??= {} as StatefulSetSpec);
  spec.podManagementPolicy ||= 'OrderedReady';
  const strategy = (spec.updateStrategy ??= {});
  if (!strategy.type) {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate !== undefined) strategy.rollingUpdate.partition ??= 0;
  const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {});
  retention.whenDeleted ||= 'Retain';
  retention.whenScaled ||= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  setTemplateDefaultsOf(spec);
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.apiVersion = 'v1';
    claim.kind = 'PersistentVolumeClaim';
    (claim.status ??= {}).phase ||= 'Pending';
    setClaimSpecDefaults((claim.spec ??= {}));
  }
}

/** The feature gate of maxUnavailable is off by default. */
function dropGated({ updateStrategy, template }: StatefulSetSpec): void {
  delete updateStrategy?.rollingUpdate?.maxUnavailable;
  dropGatedTemplateFields(template);
}

function validateStatus({ status = {} }: StatefulSetFields, { status: old = {} }: StatefulSetFields): FieldError[] {
  const errors: FieldError[] = [];
  checkCounts(errors, status, [
    'replicas',
    'readyReplicas',
    'currentReplicas',
    'updatedReplicas',
    'availableReplicas',
    'observedGeneration',
    'collisionCount',
  ]);
  const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];
  checkParts(errors, status, parts, 'replicas', 'status.replicas');
  checkParts(errors, status, ['availableReplicas'], 'readyReplicas', 'status.readyReplicas');
  checkCollisionCount(errors, status, old);
  return errors;
}

interface StatefulSetFields extends KubeObject {
  spec: StatefulSetSpec;
  status?: Record<string, number | undefined>;
}

interface StatefulSetSpec extends JsonObject {
  replicas?: number;
  selector?: LabelSelectorObject | null;
  template: PodTemplateFields;
  volumeClaimTemplates?: ClaimFields[];
  serviceName?: string;
  podManagementPolicy?: string;
  updateStrategy?: StatefulSetStrategy;
  revisionHistoryLimit?: number;
  minReadySeconds?: number;
  persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string };
  ordinals?: { start?: number };
}

interface StatefulSetStrategy extends JsonObject {
  type?: string;
  rollingUpdate?: { partition?: number; maxUnavailable?: number | string };
}

interface ClaimFields extends KubeObject {
  spec: ClaimSpecFields;
  status?: { phase?: string };
}

/** `isNew`: immutable fields are validated only on create. */
function checkStatefulSetSpec(errors: FieldError[], spec: StatefulSetSpec, isNew: boolean): void {
  checkManagementPolicy(errors, 'spec.podManagementPolicy', spec.podManagementPolicy);
  checkStrategy(errors, 'spec.updateStrategy', spec.updateStrategy ?? {});
  const { whenDeleted, whenScaled } = spec.persistentVolumeClaimRetentionPolicy ?? {};
  checkRetention(errors, 'spec.persistentVolumeClaimRetentionPolicy.whenDeleted', whenDeleted);
  checkRetention(errors, 'spec.persistentVolumeClaimRetentionPolicy.whenScaled', whenScaled);
  if (isNew) {
    spec.volumeClaimTemplates?.forEach((claim, i) => {
      checkClaimSpec(errors, `spec.volumeClaimTemplates[${i}].spec`, claim.spec);
    });
  }
  checkNotNegative(errors, 'spec.replicas', spec.replicas);
  checkNotNegative(errors, 'spec.minReadySeconds', spec.minReadySeconds);
  checkNotNegative(errors, 'spec.ordinals.start', spec.ordinals?.start);
  if (isNew && spec.serviceName) checkDnsLabel(errors, 'spec.serviceName', spec.serviceName);
  checkSelectorAndTemplate(errors, spec);
  checkRunsForever(errors, 'spec.template', spec.template, 'StatefulSet');
}

function checkManagementPolicy(errors: FieldError[], path: string, policy: string | undefined): void {
  if (!policy) errors.push(required(path));
  else if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    errors.push(invalid(path, policy, "must be 'OrderedReady' or 'Parallel'"));
  }
}

function checkStrategy(errors: FieldError[], path: string, strategy: StatefulSetStrategy): void {
  const { type, rollingUpdate } = strategy;
  if (!type) errors.push(required(path));
  else if (type === 'RollingUpdate') {
    checkNotNegative(errors, `${path}.rollingUpdate.partition`, rollingUpdate?.partition);
  } else if (type !== 'OnDelete') {
    const detail = "must be 'RollingUpdate' or 'OnDelete'";
    errors.push(invalidInternal(path, 'StatefulSetUpdateStrategy', strategy, detail));
  } else if (rollingUpdate !== undefined) {
    const detail = "only allowed for updateStrategy 'RollingUpdate'";
    errors.push(invalidInternal(`${path}.rollingUpdate`, 'RollingUpdateStatefulSetStrategy', rollingUpdate, detail));
  }
}

function checkRetention(errors: FieldError[], path: string, policy = ''): void {
  if (policy !== 'Retain' && policy !== 'Delete') errors.push(notSupported(path, policy, ['Retain', 'Delete']));
}

function checkSelectorAndTemplate(errors: FieldError[], spec: StatefulSetSpec): void {
  const { selector } = spec;
  const before = errors.length;
  if (!selector) errors.push(required('spec.selector'));
  pushAll(errors, validateLabelSelector(selector, 'spec.selector'));
  const isInvalid = selector && errors.length > before;
  if (selector && isEmptySelector(selector)) {
    const detail = 'empty selector is invalid for statefulset';
    errors.push(invalid('spec.selector', internalSelector(selector), detail));
  }
  if (isInvalid) return void errors.push(invalid('spec.selector', internalSelector(selector), ''));
  const template = templateOfPods(spec);
  if (!selector || !isEmptySelector(selector))
    checkSelected(errors, 'spec.template', template, labelSelectorFrom(selector));
  checkPodTemplate(errors, 'spec.template', template);
  // Kubernetes validates the metadata twice.
  const { metadata = {} } = template;
  pushAll(errors, validateLabels(metadata.labels, 'spec.template.labels'));
  pushAll(errors, validateAnnotations(metadata.annotations, 'spec.template.annotations'));
  checkAnnotations(errors, 'spec.template.annotations', metadata, template.spec);
}

/** The controller sets names and a volume for each claim in every pod. */
function templateOfPods({ template, volumeClaimTemplates = [] }: StatefulSetSpec): PodTemplateFields {
  const { subdomain: _subdomain, hostname: _hostname, ...spec } = template.spec;
  if (volumeClaimTemplates.length === 0) return { ...template, spec };
  const names = new Set(volumeClaimTemplates.map(({ metadata }) => metadata.name ?? ''));
  const claims = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const others = (spec.volumes ?? []).filter(({ name }) => !names.has(name));
  return { ...template, spec: { ...spec, volumes: [...claims, ...others] } };
}

const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

function checkStatefulSetChange(errors: FieldError[], spec: StatefulSetSpec, old: StatefulSetSpec): void {
  const undone: StatefulSetSpec = { ...spec };
  for (const field of changeable) undone[field] = old[field];
  if (semanticEqual(undone, old)) return;
  const [last, ...others] = changeable.toReversed().map((field) => `'${field}'`);
  const fields = `${others.toReversed().join(', ')} and ${last}`;
  errors.push(forbidden('spec', `updates to statefulset spec for fields other than ${fields} are forbidden`));
}
