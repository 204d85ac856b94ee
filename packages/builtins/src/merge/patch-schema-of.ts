import type { PatchField, PatchSchema, PatchStrategy } from '@flotilla/kube';
import { pointee, type GoType } from '../table/go-type.ts';
import type { Field, StructType } from '../table/struct-type.ts';

const schemas = new WeakMap<StructType, PatchSchema>();

export function patchSchemaOf(type: StructType): PatchSchema {
  const known = schemas.get(type);
  if (known !== undefined) return known;
  let fields: ReadonlyMap<string, PatchField> | undefined;
  const schema: PatchSchema = {
    name: type.name,
    field: (name) => (fields ??= fieldsOf(type)).get(name),
  };
  schemas.set(type, schema);
  return schema;
}

function fieldsOf(type: StructType): ReadonlyMap<string, PatchField> {
  return new Map(type.fields.map((field) => [field.name, patchFieldOf(field)]));
}

function patchFieldOf({ type, patchStrategies, patchMergeKey }: Field): PatchField {
  const schema = nestedSchema(pointee(type));
  return {
    strategies: patchStrategies as readonly PatchStrategy[],
    ...(patchMergeKey !== undefined && { mergeKey: patchMergeKey }),
    ...(schema !== undefined && { schema }),
  };
}

/** Undefined for maps: Kubernetes merges their entries only if these are not objects. */
function nestedSchema(type: GoType): PatchSchema | undefined {
  switch (type.kind) {
    case 'struct':
      return patchSchemaOf(type);
    case 'list':
      return nestedSchema(pointee(type.element));
    case 'well-known':
      return { name: type.name, field: () => undefined };
    case 'pointer':
    case 'map':
    case 'bytes':
    case 'any':
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'float64':
      return undefined;
  }
}
