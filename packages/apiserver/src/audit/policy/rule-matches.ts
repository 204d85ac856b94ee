import type { User } from '@flotilla/kube';
import type { AuditRule, GroupResources } from './audit-policy.ts';

/** What rules of a policy see of a request. */
export interface AuditedAccess {
  /** Undefined if the credentials are invalid. */
  readonly user: User | undefined;
  readonly verb: string;
  /** Undefined for a path that is no resource. */
  readonly object: AuditedObject | undefined;
  readonly path: string;
}

export interface AuditedObject {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export function ruleMatches(rule: AuditRule, access: AuditedAccess): boolean {
  const { user, verb, object, path } = access;
  if (!allows(rule.users, user?.name)) return false;
  if (rule.userGroups.length > 0 && !user?.groups.some((group) => rule.userGroups.includes(group))) return false;
  if (!allows(rule.verbs, verb)) return false;
  if (rule.namespaces.length > 0 || rule.resources.length > 0) {
    return object !== undefined && allows(rule.namespaces, object.namespace) && resourceMatches(rule, object);
  }
  if (rule.nonResourceURLs.length > 0) {
    return object === undefined && rule.nonResourceURLs.some((pattern) => pathMatches(path, pattern));
  }
  return true;
}

function allows(values: readonly string[], value: string | undefined): boolean {
  return values.length === 0 || (value !== undefined && values.includes(value));
}

/** A star at the end stands for anything. */
function pathMatches(path: string, pattern: string): boolean {
  if (pattern === '*' || pattern === path) return true;
  return pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, ''));
}

function resourceMatches({ resources }: AuditRule, object: AuditedObject): boolean {
  return resources.length === 0 || resources.some((some) => isAmong(some, object));
}

function isAmong({ group, resources, resourceNames }: GroupResources, object: AuditedObject): boolean {
  if (group !== '*' && group !== object.group) return false;
  if (resources.length === 0) return true;
  return allows(resourceNames, object.name) && resources.some((pattern) => isResource(pattern, object));
}

function isResource(pattern: string, { resource, subresource }: AuditedObject): boolean {
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  if (pattern === '*' || pattern === whole) return true;
  if (subresource !== '' && pattern === `*/${subresource}`) return true;
  return pattern === `${resource}/*`;
}
