import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isJsonObject, JsonError, parseYaml, YamlError, type JsonObject, type JsonValue } from '@flotilla/kube';
import { readNamedFile } from '../named-file.ts';
import { UserError } from '../user-error.ts';

/** An object as a user wrote it. */
export interface Manifest {
  readonly file: string;
  readonly value: JsonObject;
}

/** The objects in YAML or JSON files, in folders, or on standard input (`-`), those of lists one by one. */
export async function readManifests(paths: readonly string[], isRecursive = false): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for (const path of paths) {
    const files = await filesAt(path, isRecursive);
    for (const file of files) manifests.push(...(await manifestsIn(file)));
  }
  return manifests;
}

export async function manifestsIn(file: string): Promise<Manifest[]> {
  const content = file === '-' ? await text(process.stdin) : await readNamedFile(file);
  return splitDocuments(content).flatMap((document) =>
    objectsIn(parsed(document, file)).map((value) => ({ file, value })),
  );
}

const extensions = ['.yaml', '.yml', '.json'];

/** The file itself, or the files of a folder by name. */
async function filesAt(path: string, isRecursive: boolean): Promise<string[]> {
  if (path === '-' || !(await stat(path).catch(() => undefined))?.isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true, recursive: isRecursive });
  const files = entries
    .filter((entry) => entry.isFile() && extensions.includes(extname(entry.name)))
    .map(({ parentPath, name }) => join(parentPath, name));
  if (files.length === 0) throw new UserError(`${path} has no files that end in ${extensions.join(', ')}.`);
  return files.sort();
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

function objectsIn(value: JsonValue): JsonObject[] {
  if (!isJsonObject(value)) return [];
  return Array.isArray(value['items']) ? value['items'].flatMap(objectsIn) : [value];
}
