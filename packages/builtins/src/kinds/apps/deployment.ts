import {
  forbidden,
  invalid,
  nameIsDnsSubdomain,
  required,
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
  selectorText,
  wideColumn,
  wideContainersColumn,
  wideImagesColumn,
} from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { bumpGenerationIf, carryOver, startGeneration } from '../prepare-update.ts';
import { dropGatedTemplateFields } from '../core-pods/gated-fields.ts';
import { unsupportedInternal } from '../core-pods/internal/internal-form.ts';
import { setTemplateDefaultsOf } from '../core-pods/pod-defaults.ts';
import type { PodTemplateFields } from '../core-pods/pod-fields.ts';
import { checkNotNegative } from '../core-pods/pod-validation/checks.ts';
import { templateWarnings } from '../core-pods/pod-warnings.ts';
import { semanticEqual } from '../semantic-equal.ts';
import {
  amountOf,
  checkAtMostAll,
  checkCollisionCount,
  checkCounts,
  checkIntOrPercent,
  checkParts,
  checkSameSelector,
  podNameWarnings,
  type IntOrPercent,
} from './replicas.ts';
import { checkSelectedTemplate } from './selected-template.ts';

interface DeploymentFields extends KubeObject {
  spec: DeploymentSpec;
  status?: Record<string, number | undefined>;
}

interface DeploymentSpec extends JsonObject {
  replicas?: number;
  selector?: LabelSelectorObject | null;
  template: PodTemplateFields;
  strategy?: DeploymentStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
  progressDeadlineSeconds?: number;
}

interface DeploymentStrategy extends JsonObject {
  type?: string;
  rollingUpdate?: { maxUnavailable?: IntOrPercent; maxSurge?: IntOrPercent };
}

export const deploymentKind: KindBehavior = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  setDefaults,
  prepareForCreate(object) {
    object['status'] = {};
    startGeneration(object);
    dropGatedTemplateFields((object as DeploymentFields).spec.template);
  },
  prepareForUpdate(object, old) {
    carryOver('status', object, old);
    dropGatedTemplateFields((object as DeploymentFields).spec.template);
    // The deployment controller copies annotations to ReplicaSets, so changing them is a change of the desired state.
    const isSame =
      semanticEqual(object['spec'], old['spec']) &&
      semanticEqual(object.metadata.annotations, old.metadata.annotations);
    bumpGenerationIf(!isSame, object, old);
  },
  validate(object) {
    const errors: FieldError[] = [];
    checkSpec(errors, (object as DeploymentFields).spec);
    return errors;
  },
  validateUpdate(object, old) {
    const errors: FieldError[] = [];
    const { spec } = object as DeploymentFields;
    checkSpec(errors, spec);
    checkSameSelector(errors, spec.selector, (old as DeploymentFields).spec.selector);
    return errors;
  },
  warnings(object, old) {
    const { template } = (object as DeploymentFields).spec;
    if (old === undefined) return [...podNameWarnings(object), ...templateWarnings('spec.template', template)];
    return object.metadata.generation === old.metadata.generation ? [] : templateWarnings('spec.template', template);
  },
  nameRule: nameIsDnsSubdomain,
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        carryOver('spec', object, old);
        if (old.metadata.labels === undefined) delete object.metadata.labels;
        else object.metadata.labels = old.metadata.labels;
      },
      validateUpdate: (object, old) => validateStatus(object as DeploymentFields, old as DeploymentFields),
      resetFields: [['spec'], ['metadata', 'labels']],
    },
  },
  columns: {
    definitions: [
      nameColumn,
      column('Ready', 'string', 'Ready and desired pods.'),
      column('Up-to-date', 'string', 'How many pods have the latest template.'),
      column('Available', 'string', 'How many pods are available.'),
      ageColumn,
      wideContainersColumn,
      wideImagesColumn,
      wideColumn('Selector', 'string', 'Which pods belong to the deployment.'),
    ],
    cells(object, now) {
      const { metadata, spec, status = {} } = object as DeploymentFields;
      const { containers } = spec.template.spec;
      return [
        metadata.name ?? '',
        `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
        status.updatedReplicas ?? 0,
        status.availableReplicas ?? 0,
        age(object, now),
        containerNames(containers ?? undefined),
        containerImages(containers ?? undefined),
        selectorText(spec.selector),
      ];
    },
  },
  resetFields: [['status']],
};

function setDefaults(object: KubeObject): void {
  const spec = ((object as DeploymentFields).spec ??= {} as DeploymentSpec);
  spec.replicas ??= 1;
  const strategy = (spec.strategy ??= {});
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    const rollingUpdate = (strategy.rollingUpdate ??= {});
    rollingUpdate.maxUnavailable ??= '25%';
    rollingUpdate.maxSurge ??= '25%';
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
  setTemplateDefaultsOf(spec);
}

function checkSpec(errors: FieldError[], spec: DeploymentSpec): void {
  checkNotNegative(errors, 'spec.replicas', spec.replicas);
  checkSelectedTemplate(errors, spec, 'deployment');
  checkStrategy(errors, 'spec.strategy', spec.strategy ?? {});
  checkNotNegative(errors, 'spec.minReadySeconds', spec.minReadySeconds);
  checkNotNegative(errors, 'spec.revisionHistoryLimit', spec.revisionHistoryLimit);
  const { progressDeadlineSeconds: deadline, minReadySeconds = 0 } = spec;
  checkNotNegative(errors, 'spec.progressDeadlineSeconds', deadline);
  if (deadline !== undefined && deadline <= minReadySeconds) {
    errors.push(invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'));
  }
}

function checkStrategy(errors: FieldError[], path: string, strategy: DeploymentStrategy): void {
  const { type, rollingUpdate } = strategy;
  if (type === 'Recreate') {
    if (rollingUpdate === undefined) return;
    const detail = "may not be specified when strategy `type` is 'Recreate'";
    errors.push(forbidden(`${path}.rollingUpdate`, detail));
  } else if (type !== 'RollingUpdate') {
    errors.push(unsupportedInternal(path, 'DeploymentStrategy', strategy, ['Recreate', 'RollingUpdate']));
  } else if (rollingUpdate === undefined) {
    errors.push(required(`${path}.rollingUpdate`, 'this should be defaulted and never be nil'));
  } else checkRollingUpdate(errors, `${path}.rollingUpdate`, rollingUpdate);
}

function checkRollingUpdate(
  errors: FieldError[],
  path: string,
  { maxUnavailable = 0, maxSurge = 0 }: NonNullable<DeploymentStrategy['rollingUpdate']>,
): void {
  checkIntOrPercent(errors, `${path}.maxUnavailable`, maxUnavailable);
  checkIntOrPercent(errors, `${path}.maxSurge`, maxSurge);
  if (amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0) {
    errors.push(invalid(`${path}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  }
  checkAtMostAll(errors, `${path}.maxUnavailable`, maxUnavailable);
}

function validateStatus({ status = {} }: DeploymentFields, { status: old = {} }: DeploymentFields): FieldError[] {
  const errors: FieldError[] = [];
  checkCounts(errors, status, [
    'observedGeneration',
    'replicas',
    'updatedReplicas',
    'readyReplicas',
    'availableReplicas',
    'unavailableReplicas',
    'terminatingReplicas',
    'collisionCount',
  ]);
  const parts = ['updatedReplicas', 'readyReplicas', 'availableReplicas'];
  checkParts(errors, status, parts, 'replicas', 'status.replicas');
  checkParts(errors, status, ['availableReplicas'], 'readyReplicas', 'readyReplicas');
  checkCollisionCount(errors, status, old);
  return errors;
}
