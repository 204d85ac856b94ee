import type { User } from '@flotilla/kube';
import type { RequestInfo, ResourceInfo } from '../request/request-info.ts';
import type { FlowRule, FlowSchema, FlowSubject, NonResourceRule, ResourceRule } from './objects/flow-objects.ts';

/** What a schema says about one user. */
interface Candidate<S> {
  readonly schema: S;
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  /** Most schemas match all requests of their subjects, which saves comparing. */
  readonly matchesAllResources: boolean;
}

/**
 * Finds the first schema that matches a request. The rules for a user are collected once, because authentication returns the
 * same object for all requests with the same credentials.
 */
export class Classifier<S extends Pick<FlowSchema, 'rules'>> {
  /** In the order of their precedence. */
  readonly #schemas: readonly S[];
  readonly #fallback: S;
  readonly #byUser = new WeakMap<User, readonly Candidate<S>[]>();

  constructor(schemas: readonly S[], fallback: S) {
    this.#schemas = schemas;
    this.#fallback = fallback;
  }

  /** `verb` is the HTTP method in lower case for a path. */
  classify(user: User, info: RequestInfo, verb: string): S {
    let candidates = this.#byUser.get(user);
    if (candidates === undefined) this.#byUser.set(user, (candidates = this.#candidatesOf(user)));
    for (const candidate of candidates) {
      const { resourceRules, nonResourceRules, schema } = candidate;
      const isMatch = info.isResource
        ? candidate.matchesAllResources || resourceRules.some((rule) => matchesResource(rule, info, verb))
        : nonResourceRules.some((rule) => matchesPath(rule, info.path, verb));
      if (isMatch) return schema;
    }
    return this.#fallback;
  }

  #candidatesOf(user: User): Candidate<S>[] {
    return this.#schemas.flatMap((schema) => {
      const rules = schema.rules.filter((rule) => hasSubject(rule, user));
      if (rules.length === 0) return [];
      const resourceRules = rules.flatMap((rule) => rule.resourceRules ?? []);
      return {
        schema,
        resourceRules,
        nonResourceRules: rules.flatMap((rule) => rule.nonResourceRules ?? []),
        matchesAllResources: resourceRules.some(matchesEverything),
      };
    });
  }
}

function hasSubject({ subjects }: FlowRule, user: User): boolean {
  return subjects?.some((subject) => isSubject(subject, user)) ?? false;
}

function isSubject({ kind, user: named, group, serviceAccount }: FlowSubject, user: User): boolean {
  switch (kind) {
    case 'User':
      return named !== undefined && (named.name === '*' || named.name === user.name);
    case 'Group':
      return group?.name !== undefined && (group.name === '*' || user.groups.includes(group.name));
    case 'ServiceAccount':
      return serviceAccount !== undefined && isAccount(serviceAccount, user.name);
    case undefined:
    default:
      return false;
  }
}

function isAccount({ namespace = '', name = '' }: NonNullable<FlowSubject['serviceAccount']>, user: string): boolean {
  const prefix = `system:serviceaccount:${namespace}:`;
  return name === '*' ? user.startsWith(prefix) : user === prefix + name;
}

function matchesEverything({ verbs, apiGroups, resources, clusterScope, namespaces }: ResourceRule): boolean {
  return clusterScope === true && [verbs, apiGroups, resources, namespaces].every(isWildcard);
}

function matchesResource(rule: ResourceRule, info: ResourceInfo, verb: string): boolean {
  const { verbs, apiGroups, resources, clusterScope, namespaces } = rule;
  const resource = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`;
  if (!includes(verbs, verb) || !includes(resources, resource) || !includes(apiGroups, info.group)) return false;
  const namespace = flowNamespaceOf(info);
  return namespace === '' ? clusterScope === true : includes(namespaces, namespace);
}

/** A namespace counts as an object in itself, as for authorization. */
export function flowNamespaceOf({ namespace, resource, name }: ResourceInfo): string {
  return namespace === '' && resource === 'namespaces' ? name : namespace;
}

function matchesPath({ verbs, nonResourceURLs }: NonResourceRule, path: string, verb: string): boolean {
  return includes(verbs, verb) && (nonResourceURLs?.some((url) => isBelow(url, path)) ?? false);
}

/** A URL without a star matches everything below it, too. */
function isBelow(url: string, path: string): boolean {
  if (url === '*' || url === path) return true;
  const prefix = url.endsWith('*') ? url.slice(0, -1) : url;
  return path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}

function isWildcard(list: readonly string[] | null | undefined): boolean {
  return list?.length === 1 && list[0] === '*';
}

function includes(list: readonly string[] | null | undefined, value: string): boolean {
  return isWildcard(list) || (list?.includes(value) ?? false);
}
