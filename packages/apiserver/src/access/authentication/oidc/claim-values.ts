/** Claims as values of expressions. Numbers are doubles, and `a__dot__b` finds the claim `a.b`, as in Kubernetes. */
import { CelList, CelMap, type CelValue, type Result } from '@flotilla/cel';
import { JsonFloat, type JsonObject, type JsonValue, type User } from '@flotilla/kube';

export function claimValue(value: JsonValue): CelValue {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof JsonFloat) return value.value;
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? new ClaimList(value) : new ClaimMap(value);
}

export function userValue({ name, uid = '', groups, extra = {} }: User): CelValue {
  return claimValue({ username: name, uid, groups: [...groups], extra: extra as unknown as JsonObject });
}

class ClaimList extends CelList {
  readonly #json: readonly JsonValue[];

  constructor(json: readonly JsonValue[]) {
    super();
    this.#json = json;
  }

  override get size(): number {
    return this.#json.length;
  }

  override at(index: number): Result {
    return claimValue(this.#json[index] ?? null);
  }
}

class ClaimMap extends CelMap {
  readonly #json: JsonObject;

  constructor(json: JsonObject) {
    super();
    this.#json = json;
  }

  override get size(): number {
    return Object.keys(this.#json).length;
  }

  override get(key: CelValue): Result | undefined {
    if (typeof key !== 'string') return undefined;
    const name = unescaped(key);
    const value = Object.hasOwn(this.#json, name) ? this.#json[name] : undefined;
    return value === undefined ? undefined : claimValue(value);
  }

  override keys(): Iterable<CelValue> {
    return Object.keys(this.#json);
  }
}

const escapes: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' };

/** Identifiers cannot have some characters, so that expressions escape them. */
function unescaped(name: string): string {
  return name.includes('__')
    ? name.replace(/__(underscores|dot|dash|slash)__/g, (_, word: string) => escapes[word] ?? '')
    : name;
}
