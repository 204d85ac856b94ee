import type { GoType } from './go-type.ts';
import { isInlined, type Field } from './struct-type.ts';

export type OpenApiDefault = string | number | boolean | Readonly<Record<string, never>>;

/** The default that OpenAPI shows for a field: the declared one, or the zero value where Go always writes the field. */
export function fieldDefault(field: Field): OpenApiDefault | undefined {
  return field.default ?? enforcedDefault(field.type, field.omitEmpty);
}

/** The same for elements of lists and maps, which Go always writes. */
export function elementDefault(type: GoType): OpenApiDefault | undefined {
  return enforcedDefault(type, false);
}

function enforcedDefault(type: GoType, omitEmpty: boolean): OpenApiDefault | undefined {
  switch (type.kind) {
    case 'struct': {
      const [only, ...others] = type.members;
      // OpenAPI treats a struct with one inlined struct as that struct.
      const isWrapper = only !== undefined && others.length === 0 && isInlined(only);
      return isWrapper ? enforcedDefault(only.type, omitEmpty) : {};
    }
    case 'string':
      return omitEmpty ? undefined : '';
    case 'bool':
      return omitEmpty ? undefined : false;
    case 'int32':
    case 'int64':
    case 'float64':
      return omitEmpty ? undefined : 0;
    case 'pointer':
    case 'list':
    case 'map':
    case 'bytes':
    case 'any':
    case 'well-known':
      return undefined;
  }
}
