import {
  forbidden,
  invalid,
  labelSelectorFrom,
  notSupported,
  pushAll,
  required,
  validateAnnotations,
  validateLabels,
  validateLabelSelector,
  type FieldError,
} from '@flotilla/kube';
import { checkClaimSpec } from '../core-volumes/claim-spec.ts';
import { internalSelector } from '../core-pods/internal/internal-form.ts';
import { invalidInternal } from '../core-pods/internal/internal-value-error.ts';
import type { PodTemplateFields } from '../core-pods/pod-fields.ts';
import { checkAnnotations } from '../core-pods/pod-validation/annotations.ts';
import { checkDnsLabel, checkNotNegative } from '../core-pods/pod-validation/checks.ts';
import { isEmptySelector } from '../core-pods/pod-validation/empty-selector.ts';
import { checkPodTemplate, checkRunsForever, checkSelected } from '../core-pods/pod-validation/pod-template.ts';
import { semanticEqual } from '../semantic-equal.ts';
import type { StatefulSetSpec, StatefulSetStrategy } from './stateful-set-fields.ts';

/** `isNew`: what cannot change later is looked at only once. */
export function checkStatefulSetSpec(errors: FieldError[], spec: StatefulSetSpec, isNew: boolean): void {
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
    const sentence = "must be 'RollingUpdate' or 'OnDelete'";
    errors.push(invalidInternal(path, 'StatefulSetUpdateStrategy', strategy, sentence));
  } else if (rollingUpdate !== undefined) {
    const sentence = "only allowed for updateStrategy 'RollingUpdate'";
    errors.push(invalidInternal(`${path}.rollingUpdate`, 'RollingUpdateStatefulSetStrategy', rollingUpdate, sentence));
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
    const sentence = 'empty selector is invalid for statefulset';
    errors.push(invalid('spec.selector', internalSelector(selector), sentence));
  }
  if (isInvalid) return void errors.push(invalid('spec.selector', internalSelector(selector), ''));
  const template = templateOfPods(spec);
  if (!selector || !isEmptySelector(selector))
    checkSelected(errors, 'spec.template', template, labelSelectorFrom(selector));
  checkPodTemplate(errors, 'spec.template', template);
  // Kubernetes looks at the metadata twice.
  const { metadata = {} } = template;
  pushAll(errors, validateLabels(metadata.labels, 'spec.template.labels'));
  pushAll(errors, validateAnnotations(metadata.annotations, 'spec.template.annotations'));
  checkAnnotations(errors, 'spec.template.annotations', metadata, template.spec);
}

/** The controller gives each pod its own names, and a volume for each claim. */
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

export function checkStatefulSetChange(errors: FieldError[], spec: StatefulSetSpec, old: StatefulSetSpec): void {
  const undone: StatefulSetSpec = { ...spec };
  for (const field of changeable) undone[field] = old[field];
  if (semanticEqual(undone, old)) return;
  const [last, ...others] = changeable.toReversed().map((field) => `'${field}'`);
  const fields = `${others.toReversed().join(', ')} and ${last}`;
  errors.push(forbidden('spec', `updates to statefulset spec for fields other than ${fields} are forbidden`));
}
