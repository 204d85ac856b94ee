import { compareBytes, type LabelSelectorObject } from '@flotilla/kube';
import type { ParamRef } from './admission-policy-binding.ts';

/** A binding's parameters in its column: `namespace/name`, or the selector as Go prints the struct. */
export function paramRefText(ref: ParamRef | undefined): string {
  if (ref?.name) return `${ref.namespace || '*'}/${ref.name}`;
  return ref?.selector === undefined ? '<unset>' : selectorInGo(ref.selector);
}

function selectorInGo({ matchLabels = {}, matchExpressions = [] }: LabelSelectorObject): string {
  const keys = Object.keys(matchLabels).sort(compareBytes);
  const labels = keys.map((key) => `${key}: ${matchLabels[key]},`).join('');
  const requirements = matchExpressions.map(({ key, operator, values = [] }) => {
    return `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`;
  });
  const expressions = `[]LabelSelectorRequirement{${requirements.join('')}}`;
  return `&LabelSelector{MatchLabels:map[string]string{${labels}},MatchExpressions:${expressions},}`;
}
