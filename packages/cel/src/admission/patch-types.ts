/** What mutations create: `Object{…}` is an apply configuration, `JSONPatch{…}` an operation of a JSON patch. */
import { types, type CelType, type ObjectType } from '../type.ts';
import { CelError, CelList, CelMap, type CelValue } from '../value.ts';
import { CreatedStruct } from '../values/json-value.ts';
import { elementsOf } from '../values/list.ts';

const objectName = 'Object';
const patchName = 'JSONPatch';

/** The types below it have the names of its fields: `Object.spec.template`. They accept all fields. */
function objectTypeNamed(name: string): ObjectType {
  return { ...types.object(name, () => types.dyn), create: (fields) => new CreatedStruct(name, fields) };
}

const patchFields = new Map<string, CelType>([
  ['op', types.string],
  ['path', types.string],
  ['from', types.string],
  ['value', types.dyn],
]);

export const objectType: ObjectType = objectTypeNamed(objectName);

export const jsonPatchType: ObjectType = {
  ...types.object(patchName, (field) => patchFields.get(field)),
  create: (fields) => new CreatedStruct(patchName, fields),
};

export function findPatchType(name: string): ObjectType | undefined {
  if (name === objectName) return objectType;
  if (name === patchName) return jsonPatchType;
  return name.startsWith(`${objectName}.`) ? objectTypeNamed(name) : undefined;
}

const maxProblems = 10;

/** The problems of objects whose type is not named after the fields that lead to them from this one. */
export function typeNameProblems(root: CreatedStruct): readonly string[] {
  const problems: string[] = [];
  collect(root, root.typeName, problems);
  return problems;
}

function collect(value: CelValue, expected: string, problems: string[]): void {
  if (problems.length >= maxProblems) return;
  if (value instanceof CreatedStruct) {
    const where = `expected "${expected}", which matches field name path from root Object type`;
    if (value.typeName !== expected) problems.push(`unexpected type name "${value.typeName}", ${where}`);
    for (const [name, field] of value.fields) collect(field, `${expected}.${name}`, problems);
  } else if (value instanceof CelList) {
    for (const item of elementsOf(value)) if (!(item instanceof CelError)) collect(item, expected, problems);
  } else if (value instanceof CelMap) {
    for (const key of value.keys()) {
      const entry = value.get(key);
      if (entry !== undefined && !(entry instanceof CelError)) collect(entry, expected, problems);
    }
  }
}
