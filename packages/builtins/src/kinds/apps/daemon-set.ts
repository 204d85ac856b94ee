import {
  invalid,
  labelSelectorFrom,
  nameIsDnsSubdomain,
  pushAll,
  required,
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
  labelsText,
  nameColumn,
  selectorCell,
  wideColumn,
  wideContainersColumn,
  wideImagesColumn,
} from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { bumpGenerationIf, carryOver, startGeneration } from '../prepare-update.ts';
import { dropGatedTemplateFields } from '../core-pods/gated-fields.ts';
import { internalSelector, unsupportedInternal } from '../core-pods/internal/internal-form.ts';
import { setTemplateDefaultsOf } from '../core-pods/pod-defaults.ts';
import type { PodTemplateFields } from '../core-pods/pod-fields.ts';
import { checkNotNegative } from '../core-pods/pod-validation/checks.ts';
import { checkPodTemplate, checkRunsForever, checkSelected, isEmptySelector } from '../core-pods/pod-validation/pod.ts';
import { templateWarnings } from '../core-pods/pod-warnings.ts';
import { semanticEqual } from '../semantic-equal.ts';
import { putSorted } from '../sorted-map.ts';
import {
  amountOf,
  checkAtMostAll,
  checkCollisionCount,
  checkCounts,
  checkIntOrPercent,
  checkSameSelector,
  type IntOrPercent,
} from './replicas.ts';

interface DaemonSetFields extends KubeObject {
  spec: DaemonSetSpec;
  status?: Record<string, number | undefined>;
}

interface DaemonSetSpec extends JsonObject {
  selector?: LabelSelectorObject | null;
  template: PodTemplateFields;
  updateStrategy?: UpdateStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
}

interface UpdateStrategy extends JsonObject {
  type?: string;
  rollingUpdate?: { maxUnavailable?: IntOrPercent; maxSurge?: IntOrPercent };
}

/** How often the template changed: a field of earlier versions, kept as an annotation. */
const templateGeneration = 'deprecated.daemonset.template.generation';

export const daemonSetKind: KindBehavior = {
  group: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  setDefaults,
  prepareForCreate(object) {
    object['status'] = {
      currentNumberScheduled: 0,
      numberMisscheduled: 0,
      desiredNumberScheduled: 0,
      numberReady: 0,
    };
    startGeneration(object);
    const generation = templateGenerationOf(object);
    setTemplateGeneration(object, generation < 1n ? 1n : generation);
    dropGatedTemplateFields((object as DaemonSetFields).spec.template);
  },
  prepareForUpdate(object, old) {
    const { spec } = object as DaemonSetFields;
    const { spec: oldSpec } = old as DaemonSetFields;
    dropGatedTemplateFields(spec.template);
    carryOver('status', object, old);
    const hasNewTemplate = !semanticEqual(spec.template, oldSpec.template);
    setTemplateGeneration(object, templateGenerationOf(old) + (hasNewTemplate ? 1n : 0n));
    bumpGenerationIf(hasNewTemplate || !semanticEqual(spec, oldSpec), object, old);
  },
  validate(object) {
    const errors: FieldError[] = [];
    checkSpec(errors, (object as DaemonSetFields).spec);
    return errors;
  },
  validateUpdate(object, old) {
    const errors: FieldError[] = [];
    const { spec } = object as DaemonSetFields;
    checkSameSelector(errors, spec.selector, (old as DaemonSetFields).spec.selector);
    checkSpec(errors, spec);
    return errors;
  },
  warnings(object, old) {
    const isSame = old !== undefined && templateGenerationOf(object) === templateGenerationOf(old);
    return isSame ? [] : templateWarnings('spec.template', (object as DaemonSetFields).spec.template);
  },
  nameRule: nameIsDnsSubdomain,
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        carryOver('spec', object, old);
        setTemplateGeneration(object, templateGenerationOf(old));
      },
      validateUpdate: (object, old) => validateStatus(object as DaemonSetFields, old as DaemonSetFields),
      resetFields: [['spec']],
    },
  },
  columns: {
    definitions: [
      nameColumn,
      column('Desired', 'integer', 'How many nodes should run a pod.'),
      column('Current', 'integer', 'How many of them have a pod.'),
      column('Ready', 'integer', 'How many of them have a ready pod.'),
      column('Up-to-date', 'integer', 'How many nodes have a pod of the latest template.'),
      column('Available', 'integer', 'How many nodes have an available pod.'),
      column('Node Selector', 'string', 'Labels of the nodes that get a pod.'),
      ageColumn,
      wideContainersColumn,
      wideImagesColumn,
      wideColumn('Selector', 'string', 'Which pods belong to the set.'),
    ],
    cells(object, now) {
      const { metadata, spec, status = {} } = object as DaemonSetFields;
      const { containers, nodeSelector } = spec.template.spec;
      return [
        metadata.name ?? '',
        status.desiredNumberScheduled ?? 0,
        status.currentNumberScheduled ?? 0,
        status.numberReady ?? 0,
        status.updatedNumberScheduled ?? 0,
        status.numberAvailable ?? 0,
        labelsText(nodeSelector),
        age(object, now),
        containerNames(containers ?? undefined),
        containerImages(containers ?? undefined),
        selectorCell(spec.selector),
      ];
    },
  },
  resetFields: [['status']],
};

function setDefaults(object: KubeObject): void {
  const spec = ((object as DaemonSetFields).spec ??= {} as DaemonSetSpec);
  const strategy = (spec.updateStrategy ??= {});
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    const rollingUpdate = (strategy.rollingUpdate ??= {});
    rollingUpdate.maxUnavailable ??= 1;
    rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
  setTemplateDefaultsOf(spec);
  // Kubernetes writes the annotation into every object that it decodes, so the writer of the object owns it.
  setTemplateGeneration(object, templateGenerationOf(object));
}

/** An int64 that users may write; 0 for anything else. */
function templateGenerationOf({ metadata: { annotations = {} } }: KubeObject): bigint {
  const text = Object.hasOwn(annotations, templateGeneration) ? annotations[templateGeneration] : undefined;
  if (text === undefined || !/^[+-]?\d{1,19}$/.test(text)) return 0n;
  const generation = BigInt(text.replace('+', ''));
  return generation === BigInt.asIntN(64, generation) ? generation : 0n;
}

function setTemplateGeneration({ metadata }: KubeObject, generation: bigint): void {
  putSorted((metadata.annotations ??= {}), templateGeneration, String(BigInt.asIntN(64, generation)));
}

function checkSpec(errors: FieldError[], spec: DaemonSetSpec): void {
  const { selector, template } = spec;
  const before = errors.length;
  pushAll(errors, validateLabelSelector(selector, 'spec.selector'));
  if (errors.length === before) checkSelected(errors, 'spec.template', template, labelSelectorFrom(selector));
  if (selector && isEmptySelector(selector)) {
    const detail = 'empty selector is invalid for daemonset';
    errors.push(invalid('spec.selector', internalSelector(selector), detail));
  }
  checkPodTemplate(errors, 'spec.template', template);
  checkRunsForever(errors, 'spec.template', template, 'DaemonSet');
  checkNotNegative(errors, 'spec.minReadySeconds', spec.minReadySeconds);
  checkStrategy(errors, 'spec.updateStrategy', spec.updateStrategy ?? {});
  checkNotNegative(errors, 'spec.revisionHistoryLimit', spec.revisionHistoryLimit);
}

function checkStrategy(errors: FieldError[], path: string, strategy: UpdateStrategy): void {
  const { type, rollingUpdate } = strategy;
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    errors.push(unsupportedInternal(path, 'DaemonSetUpdateStrategy', strategy, ['RollingUpdate', 'OnDelete']));
  } else if (rollingUpdate === undefined) errors.push(required(`${path}.rollingUpdate`));
  else checkRollingUpdate(errors, `${path}.rollingUpdate`, rollingUpdate);
}

function checkRollingUpdate(
  errors: FieldError[],
  path: string,
  { maxUnavailable = 0, maxSurge = 0 }: NonNullable<UpdateStrategy['rollingUpdate']>,
): void {
  checkIntOrPercent(errors, `${path}.maxUnavailable`, maxUnavailable);
  checkIntOrPercent(errors, `${path}.maxSurge`, maxSurge);
  checkAtMostAll(errors, `${path}.maxUnavailable`, maxUnavailable);
  checkAtMostAll(errors, `${path}.maxSurge`, maxSurge);
  const mayMiss = amountOf(maxUnavailable) !== 0;
  const maySurge = amountOf(maxSurge) !== 0;
  if (mayMiss && maySurge) {
    errors.push(invalid(`${path}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero'));
  } else if (!mayMiss && !maySurge) {
    errors.push(required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  }
}

function validateStatus({ status = {} }: DaemonSetFields, { status: old = {} }: DaemonSetFields): FieldError[] {
  const errors: FieldError[] = [];
  checkCounts(errors, status, [
    'currentNumberScheduled',
    'numberMisscheduled',
    'desiredNumberScheduled',
    'numberReady',
    'observedGeneration',
    'updatedNumberScheduled',
    'numberAvailable',
    'numberUnavailable',
    'collisionCount',
  ]);
  checkCollisionCount(errors, status, old);
  return errors;
}
