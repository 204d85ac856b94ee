import type { PolicyRule } from '@flotilla/builtins';
import type { PathAccess, ResourceAccess } from '../authorizer.ts';

/** A rule made for asking, and where it comes from. */
interface Grant<Source> {
  readonly source: Source;
  /** Undefined: any. */
  readonly verbs: ReadonlySet<string> | undefined;
  readonly groups: ReadonlySet<string> | undefined;
  readonly resources: ReadonlySet<string>;
}

/** What a rule is asked for: a `ResourceAccess` without its user, or one combination of what a rule names. */
export type ResourceQuestion = Pick<ResourceAccess, 'isResource' | 'verb' | 'group' | 'resource' | 'subresource'> & {
  /** Undefined: objects of any name. */
  readonly name: string | undefined;
};
export type PathQuestion = Pick<PathAccess, 'isResource' | 'verb' | 'path'>;
export type Question = ResourceQuestion | PathQuestion;

/**
 * Rules, found by the resource, name or path that they are about, so that a question looks at few of them. Building it takes
 * as long as reading the rules; nothing is multiplied out.
 */
export class RuleIndex<Source> {
  /** Rules for objects of any name, by resource as rules spell it: `pods`, `pods/log`, `*`, or any parent of `scale`. */
  readonly #byResource = new Map<string, Grant<Source>[]>();
  readonly #byName = new Map<string, Grant<Source>[]>();
  readonly #byPath = new Map<string, Grant<Source>[]>();
  /** For all paths that begin so. */
  readonly #byPathPrefix = new Map<string, Grant<Source>[]>();
  /** Many roles say the same; one of them is enough. */
  readonly #known = new Set<string>();

  add(rule: PolicyRule, source: Source): void {
    const text = JSON.stringify(rule);
    if (this.#known.has(text)) return;
    this.#known.add(text);
    const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
    const grant: Grant<Source> = {
      source,
      verbs: setOrAny(verbs ?? []),
      groups: setOrAny(apiGroups ?? []),
      resources: new Set(resources),
    };
    if (resourceNames?.length) for (const name of resourceNames) push(this.#byName, name, grant);
    else for (const resource of grant.resources) push(this.#byResource, resource, grant);
    for (const url of nonResourceURLs ?? []) {
      if (url.endsWith('*')) push(this.#byPathPrefix, withoutStars(url), grant);
      else push(this.#byPath, url, grant);
    }
  }

  /** Where a rule comes from that says yes. */
  find(question: Question): Source | undefined {
    return question.isResource ? this.#findResource(question) : this.#findPath(question);
  }

  #findResource(question: ResourceQuestion): Source | undefined {
    const { resource, subresource, name } = question;
    const combined = subresource === '' ? resource : `${resource}/${subresource}`;
    const anyParent = subresource === '' ? undefined : `*/${subresource}`;
    const found =
      firstGrant(this.#byResource.get(combined), question) ??
      firstGrant(this.#byResource.get('*'), question) ??
      (anyParent === undefined ? undefined : firstGrant(this.#byResource.get(anyParent), question));
    if (found) return found.source;
    if (name === undefined) return undefined;
    for (const grant of this.#byName.get(name) ?? []) {
      const { resources } = grant;
      const isMeant =
        resources.has(combined) || resources.has('*') || (anyParent !== undefined && resources.has(anyParent));
      if (isMeant && allows(grant, question)) return grant.source;
    }
    return undefined;
  }

  #findPath({ verb, path }: PathQuestion): Source | undefined {
    const exact = firstWithVerb(this.#byPath.get(path), verb);
    if (exact) return exact.source;
    for (const [prefix, grants] of this.#byPathPrefix) {
      const found = path.startsWith(prefix) ? firstWithVerb(grants, verb) : undefined;
      if (found) return found.source;
    }
    return undefined;
  }
}

function firstGrant<Source>(
  grants: readonly Grant<Source>[] | undefined,
  question: ResourceQuestion,
): Grant<Source> | undefined {
  return grants?.find((grant) => allows(grant, question));
}

function firstWithVerb<Source>(grants: readonly Grant<Source>[] | undefined, verb: string): Grant<Source> | undefined {
  return grants?.find(({ verbs }) => verbs === undefined || verbs.has(verb));
}

function allows<Source>({ verbs, groups }: Grant<Source>, { verb, group }: ResourceQuestion): boolean {
  return (verbs === undefined || verbs.has(verb)) && (groups === undefined || groups.has(group));
}

function setOrAny(values: readonly string[]): ReadonlySet<string> | undefined {
  return values.includes('*') ? undefined : new Set(values);
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
