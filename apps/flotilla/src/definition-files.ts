import { text } from 'node:stream/consumers';
import { decodeTyped, typeOfKind } from '@flotilla/builtins';
import { isJsonObject, JsonError, parseYaml, YamlError, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { CustomResourceDefinition } from '@flotilla/schema';
import { readNamedFile } from './named-file.ts';
import { UserFault } from './user-error.ts';

/** The definitions in a file of YAML or JSON, alone, in lists or among other objects; `-` is the standard input. */
export async function readDefinitions(file: string): Promise<CustomResourceDefinition[]> {
  const documents = splitDocuments(await contentOf(file));
  const definitions = documents.flatMap((document) => definitionsIn(parsed(document, file), file));
  if (definitions.length === 0) throw new UserFault(`${file} has no CustomResourceDefinition.`);
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
    throw new UserFault(`${file} is neither YAML nor JSON: ${error.message}.`);
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
    throw new UserFault(`${file} has a CustomResourceDefinition that is not of apiextensions.k8s.io/v1.`);
  }
  const { object, problems } = decodeTyped(type, value);
  if (problems.error !== undefined) throw new UserFault(`${file}: ${problems.error}.`);
  return object as unknown as CustomResourceDefinition;
}
