/** Claims as values of expressions. Numbers are doubles, and `a__dot__b` finds the claim `a.b`, as in Kubernetes. */
import { celOf, type CelValue, type JsonReading } from '@flotilla/cel';
import type { JsonObject, JsonValue, User } from '@flotilla/kube';

const reading: JsonReading = { areDoubles: true, keyOf: unescaped };

export function claimValue(value: JsonValue): CelValue {
  return celOf(value, reading);
}

export function userValue({ name, uid = '', groups, extra = {} }: User): CelValue {
  return claimValue({ username: name, uid, groups: [...groups], extra: extra as unknown as JsonObject });
}

const escapes: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' };

/** Identifiers cannot have some characters, so that expressions escape them. */
function unescaped(name: string): string {
  return name.includes('__')
    ? name.replace(/__(underscores|dot|dash|slash)__/g, (_, word: string) => escapes[word] ?? '')
    : name;
}
