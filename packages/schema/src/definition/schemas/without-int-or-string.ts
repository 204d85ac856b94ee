import type { JsonSchema } from '../../json-schema.ts';
import { itemsOf, valuesOf } from '../../schema-parts.ts';
import { someSchema } from '../../structural/schema-walk.ts';

const intOrStringKeyword = 'x-kubernetes-int-or-string';

/** Kubernetes does not look at this keyword when it validates defaults, so that they may be of any type there. */
export function withoutIntOrString(schema: JsonSchema): JsonSchema {
  if (!someSchema(schema, (one) => one[intOrStringKeyword] === true)) return schema;
  const { [intOrStringKeyword]: _, ...rest } = schema;
  const { properties } = schema;
  const items = itemsOf(schema);
  const values = valuesOf(schema);
  return {
    ...rest,
    ...(properties && { properties: mapValues(properties, withoutIntOrString) }),
    ...(items && { items: withoutIntOrString(items) }),
    ...(values && { additionalProperties: withoutIntOrString(values) }),
  };
}

function mapValues<T>(map: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
