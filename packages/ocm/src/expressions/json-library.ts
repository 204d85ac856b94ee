/** `"…".parseJSON()`. As in Go, every number is a double. */
import { CelError, celOf, types, type Library } from '@flotilla/cel';
import { errorMessage, JsonFloat, parseJson, type JsonValue } from '@flotilla/kube';

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
            return parsed instanceof CelError ? parsed : celOf(parsed, { areDoubles: true });
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
