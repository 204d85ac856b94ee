import {
  duplicate,
  invalid,
  notSupported,
  pushAll,
  required,
  validateLabelSelector,
  type FieldError,
} from '@flotilla/kube';
import type { TopologySpreadConstraintFields } from '../pod-fields.ts';
import { checkPositive, checkSupported } from './checks.ts';
import { checkLabelKeys } from './label-keys.ts';

const actions = ['DoNotSchedule', 'ScheduleAnyway'];
const nodePolicies = ['Honor', 'Ignore'];

export function checkTopologySpread(
  errors: FieldError[],
  path: string,
  constraints: readonly TopologySpreadConstraintFields[],
): void {
  const lastOfKind = new Map(constraints.map((constraint, i) => [kindOf(constraint), i]));
  constraints.forEach((constraint, i) => {
    const { maxSkew, topologyKey, whenUnsatisfiable, minDomains, nodeAffinityPolicy, nodeTaintsPolicy } = constraint;
    const at = `${path}[${i}]`;
    checkPositive(errors, `${at}.maxSkew`, maxSkew);
    if (!topologyKey) errors.push(required(`${at}.topologyKey`, 'can not be empty'));
    if (!actions.includes(whenUnsatisfiable)) {
      errors.push(notSupported(`${at}.whenUnsatisfiable`, whenUnsatisfiable, actions));
    }
    if ((lastOfKind.get(kindOf(constraint)) ?? i) > i) {
      errors.push(duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, kindOf(constraint)));
    }
    if (minDomains !== undefined) checkMinDomains(errors, `${at}.minDomains`, minDomains, whenUnsatisfiable);
    if (nodeAffinityPolicy !== undefined) {
      checkSupported(errors, `${at}.nodeAffinityPolicy`, nodeAffinityPolicy, nodePolicies);
    }
    if (nodeTaintsPolicy !== undefined) {
      checkSupported(errors, `${at}.nodeTaintsPolicy`, nodeTaintsPolicy, nodePolicies);
    }
    checkLabelKeys(errors, at, constraint);
    pushAll(errors, validateLabelSelector(constraint.labelSelector, `${at}.labelSelector`));
  });
}

/** A pod may have one constraint for each of these. */
function kindOf({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraintFields): string {
  return `{${topologyKey}, ${whenUnsatisfiable}}`;
}

function checkMinDomains(errors: FieldError[], path: string, minDomains: number, action: string): void {
  checkPositive(errors, path, minDomains);
  if (action === 'DoNotSchedule') return;
  const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
  errors.push(invalid(path, minDomains, detail));
}
