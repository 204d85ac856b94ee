import {
  invalid,
  nameIsPathSegment,
  notSupported,
  pushAll,
  validateLabelSelector,
  type FieldError,
  type JsonValue,
  type KubeObject,
  type LabelSelectorObject,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { checkAtMostAll, checkIntOrPercent, type IntOrPercent } from '../apps/replicas.ts';
import { bumpGenerationOnSpec, carryOver, startGeneration } from '../prepare-update.ts';
import { validateConditions, type ConditionFields } from '../conditions.ts';
import { checkNotNegative } from '../core-pods/pod-validation/checks.ts';

interface BudgetSpec {
  readonly minAvailable?: IntOrPercent;
  readonly selector?: LabelSelectorObject;
  readonly maxUnavailable?: IntOrPercent;
  readonly unhealthyPodEvictionPolicy?: string;
}

interface BudgetStatus {
  readonly disruptionsAllowed?: number;
  readonly currentHealthy?: number;
  readonly desiredHealthy?: number;
  readonly expectedPods?: number;
  readonly conditions?: readonly ConditionFields[];
}

const evictionPolicies = ['AlwaysAllow', 'IfHealthyBudget'];

export const podDisruptionBudgetKind: KindBehavior = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  allowsShortFinalizers: true,
  nameRule: nameIsPathSegment,
  requiresResourceVersion: true,
  prepareForCreate(object) {
    object['status'] = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
    startGeneration(object);
  },
  prepareForUpdate(object, old) {
    carryOver('status', object, old);
    bumpGenerationOnSpec(object, old);
  },
  validate: validateBudget,
  validateUpdate: validateBudget,
  subresources: {
    status: {
      prepareForUpdate: (object, old) => carryOver('spec', object, old),
      validateUpdate: validateStatus,
      resetFields: [['spec']],
    },
  },
  columns: {
    definitions: [
      nameColumn,
      column('Min Available', 'string', 'How many pods must be available.'),
      column('Max Unavailable', 'string', 'How many pods may be unavailable.'),
      column('Allowed Disruptions', 'integer', 'How many pods may be evicted now.'),
      ageColumn,
    ],
    cells(object, now) {
      const { minAvailable, maxUnavailable } = specOf(object);
      const { disruptionsAllowed = 0 } = statusOf(object);
      return [
        object.metadata.name ?? '',
        String(minAvailable ?? 'N/A'),
        String(maxUnavailable ?? 'N/A'),
        disruptionsAllowed,
        age(object, now),
      ];
    },
  },
  resetFields: [['status']],
};

function specOf(object: KubeObject): BudgetSpec {
  return (object as KubeObject & { spec?: BudgetSpec }).spec ?? {};
}

function statusOf(object: KubeObject): BudgetStatus {
  return (object as KubeObject & { status?: BudgetStatus }).status ?? {};
}

function validateBudget(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy: policy } = spec;
  const errors: FieldError[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    errors.push(invalid('spec', internalForm(spec), 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const [name, amount] of Object.entries({ minAvailable, maxUnavailable })) {
    if (amount === undefined) continue;
    checkIntOrPercent(errors, `spec.${name}`, amount);
    checkAtMostAll(errors, `spec.${name}`, amount);
  }
  pushAll(errors, validateLabelSelector(spec.selector, 'spec.selector'));
  if (policy !== undefined && !evictionPolicies.includes(policy)) {
    errors.push(notSupported('spec.unhealthyPodEvictionPolicy', policy, evictionPolicies));
  }
  return errors;
}

function validateStatus(object: KubeObject): FieldError[] {
  const { conditions = [], disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods } = statusOf(object);
  const errors = validateConditions(conditions, 'status.conditions');
  const counts = { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods };
  for (const [name, count] of Object.entries(counts)) checkNotNegative(errors, `status.${name}`, count);
  return errors;
}

/** The spec as Kubernetes prints it in an error. */
function internalForm(spec: BudgetSpec): Record<string, JsonValue> {
  return {
    MinAvailable: spec.minAvailable ?? null,
    Selector: spec.selector ?? null,
    MaxUnavailable: spec.maxUnavailable ?? null,
    UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
  };
}
