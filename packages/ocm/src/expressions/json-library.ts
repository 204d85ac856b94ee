/** `"…".parseJSON()`. As in Go, every number is a double. */
import { ArrayList, CelError, CelList, CelMap, types, type CelValue, type Library, type Result } from '@flotilla/cel';
import { errorMessage, JsonFloat, parseJson, type JsonObject, type JsonValue } from '@flotilla/kube';

const listCost = 10;
const mapCost = 30;
const traversalFactor = 0.1;

export const jsonLibrary: Library = {
  name: 'open-cluster-management.json',
  functions: [
    {
      name: 'parseJSON',
      overloads: [
        {
          id: 'parse_json_string',
          isMember: true,
          parameters: [types.string],
          result: types.dyn,
          cost: ([text]) => Math.ceil((text as string).length * traversalFactor) + structureCost(text as string),
          call: (text) => {
            const parsed = read(text as string);
            return parsed instanceof CelError ? parsed : valueOf(parsed);
          },
        },
      ],
    },
  ],
};

function read(text: string): JsonValue | CelError {
  try {
    return parseJson(text).value;
  } catch (error) {
    return new CelError(`failed to parse json: ${errorMessage(error)}`);
  }
}

function structureCost(text: string): number {
  const parsed = read(text);
  if (parsed instanceof CelError) return 0;
  // Not recursive: a text may have ten thousand levels.
  const waiting: JsonValue[] = [parsed];
  let cost = 0;
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null || value instanceof JsonFloat) continue;
    const parts = Array.isArray(value) ? value : Object.values(value);
    cost += Array.isArray(value) ? listCost : mapCost;
    for (const part of parts) waiting.push(part ?? null);
  }
  return cost;
}

function valueOf(json: JsonValue): CelValue {
  if (typeof json === 'number') return json;
  if (typeof json === 'bigint') return Number(json);
  if (typeof json !== 'object' || json === null) return json;
  if (json instanceof JsonFloat) return json.value;
  if (!Array.isArray(json)) return new ParsedMap(json);
  return json.length === 0 ? new ArrayList([]) : new ParsedList(json);
}

class ParsedList extends CelList {
  readonly #items: readonly JsonValue[];

  constructor(items: readonly JsonValue[]) {
    super();
    this.#items = items;
  }

  override get size(): number {
    return this.#items.length;
  }

  override at(index: number): Result {
    return valueOf(this.#items[index] ?? null);
  }
}

class ParsedMap extends CelMap {
  readonly #members: JsonObject;

  constructor(members: JsonObject) {
    super();
    this.#members = members;
  }

  override get size(): number {
    return Object.keys(this.#members).length;
  }

  override get(key: CelValue): Result | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.#members, key)) return undefined;
    return valueOf(this.#members[key] ?? null);
  }

  override keys(): Iterable<CelValue> {
    return Object.keys(this.#members);
  }
}
