import { types, type CelType } from '@flotilla/cel';

/** Kubernetes draws a number for each compilation, so that nobody relies on the name. */
const selfTypeName = 'selfType0';

/** The type of what a rule is about, with names of its parts that begin there and not at the root of the schema. */
export function selfType(type: CelType): CelType {
  return renamed(type, selfTypeName);
}

function renamed(type: CelType, name: string): CelType {
  if (type.kind === 'list') return types.list(renamed(type.element, `${name}.@idx`));
  if (type.kind === 'map') return types.map(type.key, renamed(type.value, `${name}.@elem`));
  if (type.kind !== 'object') return type;
  return types.object(name, (field) => {
    const fieldType = type.field(field);
    return fieldType && renamed(fieldType, `${name}.${field}`);
  });
}
