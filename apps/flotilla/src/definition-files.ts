import { decodeTyped, typeOfKind } from '@flotilla/builtins';
import type { JsonObject } from '@flotilla/kube';
import type { CustomResourceDefinition } from '@flotilla/schema';
import { manifestsIn } from './objects/manifest-files.ts';
import { UserError } from './user-error.ts';

/** The CRDs in a YAML or JSON file, alone, in lists or among other objects. `-` is standard input. */
export async function readDefinitions(file: string): Promise<CustomResourceDefinition[]> {
  const found = (await manifestsIn(file)).filter(({ value }) => value['kind'] === 'CustomResourceDefinition');
  if (found.length === 0) throw new UserError(`${file} contains no CustomResourceDefinition.`);
  return found.map(({ value }) => decoded(value, file));
}

function decoded(value: JsonObject, file: string): CustomResourceDefinition {
  const type = typeOfKind({ group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' });
  if (!type) throw new Error('CustomResourceDefinition is not in the table of kinds');
  if (value['apiVersion'] !== 'apiextensions.k8s.io/v1') {
    throw new UserError(`${file}: the apiVersion of a CustomResourceDefinition must be apiextensions.k8s.io/v1.`);
  }
  const { object, problems } = decodeTyped(type, value);
  if (problems.error !== undefined) throw new UserError(`${file}: ${problems.error}.`);
  return object as unknown as CustomResourceDefinition;
}
