/** Which nodes a pod may run on, by its node selector and its required node affinity. */
import type { JsonObject } from '@flotilla/kube';
import type { Node, NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from '../kinds.ts';

/** Terms are alternatives. One without requirements, or with an invalid one, selects no node. */
export function fitsNode(spec: Readonly<PodSpec> | undefined, node: Readonly<Node>): boolean {
  const labels = node.metadata.labels ?? {};
  const isSelected = Object.entries(spec?.nodeSelector ?? {}).every(([key, value]) => labelOf(labels, key) === value);
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return (
    isSelected && (required === undefined || (required.nodeSelectorTerms ?? []).some((term) => matches(term, node)))
  );
}

/** Whether the node meets all requirements of a term, of required or preferred affinity. */
export function matches({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: Readonly<Node>): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const { labels = {}, name = '' } = node.metadata;
  return (
    matchExpressions.every((requirement) => meets(requirement, labelOf(labels, requirement.key))) &&
    matchFields.every((requirement) => isOfField(requirement) && meets(requirement, name))
  );
}

/** Only the name of a node is a field, and only one value may be compared. */
function isOfField({ key, operator, values = [] }: NodeSelectorRequirement): boolean {
  return key === 'metadata.name' && (operator === 'In' || operator === 'NotIn') && values.length === 1;
}

function meets({ operator, values = [] }: NodeSelectorRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return values.length > 0 && (value === undefined || !values.includes(value));
    case 'Exists':
      return value !== undefined && values.length === 0;
    case 'DoesNotExist':
      return value === undefined && values.length === 0;
    case 'Gt':
    case 'Lt':
      return values.length === 1 && isBeyond(operator, integerOf(value), integerOf(values[0]));
    default:
      return false;
  }
}

function isBeyond(operator: 'Gt' | 'Lt', value: bigint | undefined, bound: bigint | undefined): boolean {
  if (value === undefined || bound === undefined) return false;
  return operator === 'Gt' ? value > bound : value < bound;
}

/** Undefined unless it is a decimal integer of 64 bits, as Go parses it. */
function integerOf(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[+-]?\d{1,19}$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function labelOf(labels: JsonObject, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? (labels[key] as string) : undefined;
}
