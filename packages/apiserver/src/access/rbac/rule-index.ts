import type { PolicyRule } from '@flotilla/builtins';
import type { PathAccess, ResourceAccess } from '../authorizer.ts';

/** A rule as sets, with its source. A star in a set matches any value. */
interface Grant<Source> {
  readonly source: Source;
  readonly verbs: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
}

/** A `ResourceAccess` without its user, or one combination of the values of a rule. */
export type ResourceQuery = Pick<ResourceAccess, 'isResource' | 'verb' | 'group' | 'resource' | 'subresource'> & {
  /** Undefined: objects of any name. */
  readonly name: string | undefined;
};
export type PathQuery = Pick<PathAccess, 'isResource' | 'verb' | 'path'>;
export type RuleQuery = ResourceQuery | PathQuery;

/** Rules with more pairs of a resource and a verb than this are scanned instead of indexed; no real role has them. */
const maxPairs = 10_000;

/** Rules that each query indexes. Indexing a rule costs about ten times as much as checking it. */
const rulesPerQuery = 500;

interface Pending<Source> {
  readonly rule: PolicyRule;
  readonly source: Source;
}

/** Indexes rules by resource and verb, by object name and by path, so that a query checks few of them. */
export class RuleIndex<Source> {
  /** Rules for objects of any name, by resource in the syntax of rules (`pods`, `pods/log`, `*`, any parent of `scale`), then by verb. */
  readonly #byResource = new Map<string, Map<string, Grant<Source>[]>>();
  /** Rules above `maxPairs`. */
  readonly #wide: Grant<Source>[] = [];
  readonly #byName = new Map<string, Grant<Source>[]>();
  readonly #byPath = new Map<string, Grant<Source>[]>();
  readonly #byPathPrefix = new Map<string, Grant<Source>[]>();
  /** Skips rules that other roles have, too. */
  readonly #known = new Set<string>();
  /** Not indexed yet, from `#indexed` on: a role may have many thousand rules, and a query cannot wait for all of them. */
  #pending: Pending<Source>[] = [];
  #indexed = 0;

  add(rule: PolicyRule, source: Source): void {
    this.#pending.push({ rule, source });
  }

  #index({ rule, source }: Pending<Source>): void {
    const text = JSON.stringify(rule);
    if (this.#known.has(text)) return;
    this.#known.add(text);
    const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
    const grant: Grant<Source> = {
      source,
      verbs: new Set(verbs),
      groups: new Set(apiGroups),
      resources: new Set(resources),
    };
    if (resourceNames?.length) for (const name of resourceNames) push(this.#byName, name, grant);
    else this.#addForAllNames(grant);
    for (const url of nonResourceURLs ?? []) {
      if (url.endsWith('*')) push(this.#byPathPrefix, withoutStars(url), grant);
      else push(this.#byPath, url, grant);
    }
  }

  #addForAllNames(grant: Grant<Source>): void {
    const { resources, verbs } = grant;
    if (resources.size * verbs.size > maxPairs) {
      this.#wide.push(grant);
      return;
    }
    for (const resource of resources) {
      let byVerb = this.#byResource.get(resource);
      if (!byVerb) this.#byResource.set(resource, (byVerb = new Map()));
      for (const verb of verbs) push(byVerb, verb, grant);
    }
  }

  /** The source of a rule that allows the query. */
  find(query: RuleQuery): Source | undefined {
    if (this.#pending.length > 0) this.#indexSome();
    const found = query.isResource ? this.#findResource(query) : this.#findPath(query);
    return found ?? this.#findPending(query);
  }

  #indexSome(): void {
    const end = Math.min(this.#indexed + rulesPerQuery, this.#pending.length);
    for (; this.#indexed < end; this.#indexed++) {
      const pending = this.#pending[this.#indexed];
      if (pending) this.#index(pending);
    }
    if (this.#indexed < this.#pending.length) return;
    this.#pending = [];
    this.#indexed = 0;
  }

  #findPending(query: RuleQuery): Source | undefined {
    for (let at = this.#indexed; at < this.#pending.length; at++) {
      const pending = this.#pending[at];
      if (pending && isGrantedBy(pending.rule, query)) return pending.source;
    }
    return undefined;
  }

  #findResource(query: ResourceQuery): Source | undefined {
    const { verb, group, resource, subresource, name } = query;
    const combined = subresource === '' ? resource : `${resource}/${subresource}`;
    const anyParent = subresource === '' ? undefined : `*/${subresource}`;
    const found =
      this.#findAt(combined, verb, group) ??
      this.#findAt('*', verb, group) ??
      (anyParent === undefined ? undefined : this.#findAt(anyParent, verb, group));
    if (found) return found.source;
    const matches = ({ resources, verbs, groups }: Grant<Source>): boolean =>
      (resources.has(combined) || resources.has('*') || (anyParent !== undefined && resources.has(anyParent))) &&
      hasOrAny(verbs, verb) &&
      hasOrAny(groups, group);
    const named = name === undefined ? undefined : this.#byName.get(name);
    return (named?.find(matches) ?? this.#wide.find(matches))?.source;
  }

  #findAt(resource: string, verb: string, group: string): Grant<Source> | undefined {
    const byVerb = this.#byResource.get(resource);
    if (!byVerb) return undefined;
    return firstOfGroup(byVerb.get(verb), group) ?? firstOfGroup(byVerb.get('*'), group);
  }

  #findPath({ verb, path }: PathQuery): Source | undefined {
    const exact = firstWithVerb(this.#byPath.get(path), verb);
    if (exact) return exact.source;
    for (const [prefix, grants] of this.#byPathPrefix) {
      const found = path.startsWith(prefix) ? firstWithVerb(grants, verb) : undefined;
      if (found) return found.source;
    }
    return undefined;
  }
}

/** Checks a rule without the index. */
function isGrantedBy(rule: PolicyRule, query: RuleQuery): boolean {
  return includesOrAny(rule.verbs, query.verb) && (query.isResource ? isForResource : isForPath)(rule, query);
}

function isForResource({ apiGroups, resources = [], resourceNames = [] }: PolicyRule, query: RuleQuery): boolean {
  if (!query.isResource) return false;
  const { group, resource, subresource, name } = query;
  if (resourceNames.length > 0 && (name === undefined || !resourceNames.includes(name))) return false;
  if (!includesOrAny(apiGroups, group)) return false;
  if (subresource === '') return includesOrAny(resources, resource);
  return includesOrAny(resources, `${resource}/${subresource}`) || resources.includes(`*/${subresource}`);
}

function isForPath({ nonResourceURLs = [] }: PolicyRule, query: RuleQuery): boolean {
  if (query.isResource) return false;
  const { path } = query;
  return nonResourceURLs.some((url) => (url.endsWith('*') ? path.startsWith(withoutStars(url)) : path === url));
}

function includesOrAny(values: readonly string[] | null | undefined, value: string): boolean {
  return values != null && (values.includes(value) || values.includes('*'));
}

function firstOfGroup<Source>(grants: readonly Grant<Source>[] | undefined, group: string): Grant<Source> | undefined {
  return grants?.find(({ groups }) => hasOrAny(groups, group));
}

function firstWithVerb<Source>(grants: readonly Grant<Source>[] | undefined, verb: string): Grant<Source> | undefined {
  return grants?.find(({ verbs }) => hasOrAny(verbs, verb));
}

function hasOrAny(values: ReadonlySet<string>, value: string): boolean {
  return values.has(value) || values.has('*');
}

function withoutStars(url: string): string {
  let end = url.length;
  while (end > 0 && url[end - 1] === '*') end--;
  return url.slice(0, end);
}

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
