import { labelSelectorFrom } from '@flotilla/kube';
import type { ScopeRequirement } from '../kinds/core/resource-quota.ts';

/** Whether the value meets the requirement of a scope that takes values. An empty value counts as none. */
export function matchesValue({ scopeName, operator, values }: ScopeRequirement, value: string | undefined): boolean {
  const expression = { key: scopeName, operator, ...(values && { values }) };
  return labelSelectorFrom({ matchExpressions: [expression] }).matches(value ? { [scopeName]: value } : {});
}
