import {
  dns1123LabelProblems,
  forbidden,
  nameIsDnsSubdomain,
  warningsForIp,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import type { KindBehavior } from '../../kind.ts';
import { bumpGenerationIf, keepMetadata } from '../prepare-update.ts';
import { dropGatedFields } from './gated-fields.ts';
import { internalDiff } from './internal/internal-form.ts';
import { podColumns } from './pod-columns.ts';
import { setPodDefaults } from './pod-defaults.ts';
import type { PodFields } from './pod-fields.ts';
import { prepareNewPod } from './pod-preparation.ts';
import { keepAllButResources, validateResize } from './pod-resize.ts';
import { keepAllButStatus, validatePodStatus } from './pod-status-update.ts';
import { validatePodUpdate } from './pod-update.ts';
import { checkAnnotationChanges, checkAnnotations, mirrorAnnotation } from './pod-validation/annotations.ts';
import { checkPod, validateNewPod } from './pod-validation/pod.ts';
import { movedAppArmorWarnings, podWarnings } from './pod-warnings.ts';
import { annotationOf } from './security-profiles.ts';
import { semanticEqual } from '../semantic-equal.ts';

export const podKind: KindBehavior = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  setDefaults: (object) => setPodDefaults(object as PodFields),
  prepareForCreate: (object, { now }) => prepareNewPod(object as PodFields, now),
  prepareForUpdate(object, old) {
    const pod = object as PodFields;
    pod.status = (old as PodFields).status;
    dropGatedFields(pod.spec);
    bumpGeneration(object, old);
  },
  validate: (object) => validateNewPod(object as PodFields),
  validateUpdate: (object, old) => validatePodUpdate(object as PodFields, old as PodFields),
  warnings(object, old) {
    // Mostly controllers update pods, and warnings are for people.
    if (old !== undefined) return [];
    const { metadata, spec } = object as PodFields;
    return [...movedAppArmorWarnings(metadata, spec), ...hostnameWarnings(object), ...podWarnings(metadata, spec)];
  },
  nameRule: nameIsDnsSubdomain,
  subresources: {
    status: {
      prepareForUpdate: (object, old) => keepAllButStatus(object as PodFields, old as PodFields),
      validateUpdate: (object, old) => validatePodStatus(object as PodFields, old as PodFields),
      warnings: (object) => statusWarnings(object as PodFields),
      resetFields: [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']],
    },
    // These restore all other fields, but Kubernetes still records the client as their manager: no resetFields.
    ephemeralcontainers: {
      prepareForUpdate(object, old) {
        keepAllButEphemeralContainers(object as PodFields, old as PodFields);
        dropGatedFields((object as PodFields).spec);
        bumpGeneration(object, old);
      },
      validateUpdate: (object, old) => validateEphemeralContainers(object as PodFields, old as PodFields),
    },
    resize: {
      prepareForUpdate(object, old) {
        keepAllButResources(object as PodFields, old as PodFields);
        keepMetadata(object, old);
        bumpGeneration(object, old);
      },
      validateUpdate: (object, old) => validateResize(object as PodFields, old as PodFields),
    },
  },
  returnsDeletedObject: true,
  fieldLabels: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
    'spec.host',
  ],
  selectableFields(object) {
    const { spec, status } = object as PodFields;
    return {
      'spec.nodeName': spec.nodeName ?? '',
      'spec.restartPolicy': spec.restartPolicy ?? '',
      'spec.schedulerName': spec.schedulerName ?? '',
      'spec.serviceAccountName': spec.serviceAccountName ?? '',
      'spec.hostNetwork': String(spec.hostNetwork ?? false),
      'status.phase': status.phase ?? '',
      'status.podIP': status.podIPs?.[0]?.ip ?? '',
      'status.podIPs': '',
      'status.nominatedNodeName': status.nominatedNodeName ?? '',
      // The name of the field before v1, which field selectors still accept.
      'spec.host': spec.nodeName ?? '',
    };
  },
  columns: podColumns,
  resetFields: [['status']],
};

function bumpGeneration(object: KubeObject, old: KubeObject): void {
  bumpGenerationIf(!semanticEqual(object['spec'], old['spec']), object, old);
}

function hostnameWarnings({ metadata }: KubeObject): string[] {
  const problems = dns1123LabelProblems(metadata.name ?? '');
  if (problems.length === 0) return [];
  const effect = "this is used in the Pod's hostname, which can result in surprising behavior";
  return [`metadata.name: ${effect}; a DNS label is recommended: [${problems.join(' ')}]`];
}

function statusWarnings({ status }: PodFields): string[] {
  return (['podIPs', 'hostIPs'] as const).flatMap((list) =>
    (status[list] ?? []).flatMap(({ ip = '' }, i) => warningsForIp(`status.${list}[${i}].ip`, ip)),
  );
}

function keepAllButEphemeralContainers(pod: PodFields, old: PodFields): void {
  const { ephemeralContainers } = pod.spec;
  const { ephemeralContainers: _, ...spec } = old.spec;
  pod.spec = ephemeralContainers === undefined ? spec : { ...spec, ephemeralContainers };
  pod.status = old.status;
  keepMetadata(pod, old);
}

/** Ephemeral containers may be added, but neither changed nor removed. */
function validateEphemeralContainers(pod: PodFields, old: PodFields): FieldError[] {
  if (annotationOf(old.metadata, mirrorAnnotation) !== undefined) {
    return [forbidden('', 'static pods do not support ephemeral containers')];
  }
  const errors: FieldError[] = [];
  checkPod(errors, pod);
  checkAnnotationChanges(errors, 'metadata.annotations', pod.metadata, old.metadata);
  checkAnnotations(errors, 'metadata.annotations', pod.metadata, pod.spec);
  for (const before of old.spec.ephemeralContainers ?? []) {
    const after = pod.spec.ephemeralContainers?.findLast(({ name }) => name === before.name);
    const which = `existing ephemeral containers ${JSON.stringify(before.name)}`;
    if (after === undefined) errors.push(forbidden('spec.ephemeralContainers', `${which} may not be removed\n`));
    else if (!semanticEqual(before, after)) {
      const diff = internalDiff('EphemeralContainer', before, after);
      errors.push(forbidden('spec.ephemeralContainers', `${which} may not be changed\n${diff}`));
    }
  }
  return errors;
}
