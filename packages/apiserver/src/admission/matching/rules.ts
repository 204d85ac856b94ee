import type { Operation } from '../admission.ts';

/** A rule of a webhook or a policy, as the API has it. */
export interface AdmissionRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
  /** Only rules of policies have them; absent or empty: all names. */
  readonly resourceNames?: readonly string[];
}

/** A resource and an operation on it, as rules name them. */
export interface RuleTarget {
  readonly operation: Operation;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Empty for the resource itself. */
  readonly subresource: string;
}

/** The object of a request. */
export interface ObjectTarget {
  /** Empty at the cluster scope. The namespace of a Namespace is itself. */
  readonly namespace: string;
  readonly name: string;
}

/** Whether the rule matches the target for some object. */
export function namesTarget(rule: AdmissionRule, target: RuleTarget): boolean {
  return (
    includes(rule.operations, target.operation) &&
    includes(rule.apiGroups, target.group) &&
    includes(rule.apiVersions, target.version) &&
    (rule.resources ?? []).some((resource) => namesResource(resource, target))
  );
}

/** Whether the rule applies to this object of a target that it names. */
export function includesObject(rule: AdmissionRule, target: RuleTarget, object: ObjectTarget): boolean {
  const { scope = '*', resourceNames = [] } = rule;
  const isInScope = scope === '*' || scope === (isClusterScoped(target, object) ? 'Cluster' : 'Namespaced');
  return isInScope && (resourceNames.length === 0 || resourceNames.includes(object.name));
}

/** `pods` does not include `pods/status`; `*` includes all resources without subresources. */
function namesResource(rule: string, { plural, subresource }: RuleTarget): boolean {
  const slash = rule.indexOf('/');
  const [resource, sub] = slash < 0 ? [rule, ''] : [rule.slice(0, slash), rule.slice(slash + 1)];
  return (resource === '*' || resource === plural) && (sub === '*' || sub === subresource);
}

function includes(values: readonly string[] | undefined, value: string): boolean {
  return values !== undefined && (values.includes('*') || values.includes(value));
}

function isClusterScoped({ group, version, plural }: RuleTarget, { namespace }: ObjectTarget): boolean {
  return namespace === '' || (group === '' && version === 'v1' && plural === 'namespaces');
}
