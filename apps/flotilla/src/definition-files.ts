import { text } from 'node:stream/consumers';
import { decodeTyped, typeOfKind } from '@flotilla/builtins';
import { isJsonObject, JsonError, parseYaml, YamlError, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { CustomResourceDefinition } from '@flotilla/schema';
import { readNamedFile } from './named-file.ts';
import { UserError } from './user-error.ts';

/** The CRDs in a YAML or JSON file, alone, in lists or among other objects. `-` is standard input. */
export async function readDefinitions(file: string): Promise<CustomResourceDefinition[]> {
  const documents = splitDocuments(await contentOf(file));
  const definitions = documents.flatMap((document) => definitionsIn(parsed(document, file), file));
  if (definitions.length === 0) throw new UserError(`${file} contains no CustomResourceDefinition.`);
  return definitions;
}

function contentOf(file: string): Promise<string> {
  return file === '-' ? text(process.stdin) : readNamedFile(file);
}

function splitDocuments(content: string): string[] {
  return content.split(/^---(?=\s|$)/m).filter((document) => /^\s*[^\s#]/m.test(document));
}

function parsed(document: string, file: string): JsonValue {
  try {
    return parseYaml(document).value;
  } catch (error) {
    if (!(error instanceof YamlError || error instanceof JsonError)) throw error;
    throw new UserError(`${file} is neither YAML nor JSON: ${error.message}.`);
  }
}

function definitionsIn(value: JsonValue, file: string): CustomResourceDefinition[] {
  if (!isJsonObject(value)) return [];
  if (Array.isArray(value['items'])) return value['items'].flatMap((item) => definitionsIn(item, file));
  return value['kind'] === 'CustomResourceDefinition' ? [decoded(value, file)] : [];
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
