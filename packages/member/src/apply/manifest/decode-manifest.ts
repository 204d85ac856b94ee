/** A manifest is whatever somebody put into a Work. What passes here is an object that the rest of the code may believe in. */
import { isJsonObject, type GroupVersionKind, type JsonObject, type JsonValue, type KubeObject } from '@flotilla/kube';
import type { KnownOfManifest } from './identifier.ts';
import type { Refusal } from './outcome.ts';

export type Decoded =
  | { readonly object: KubeObject; readonly gvk: GroupVersionKind; readonly known: KnownOfManifest }
  | { readonly refusal: Refusal; readonly problem: string; readonly known: KnownOfManifest };

/** Schemas of definitions are the deepest honest objects, and stay far below this. */
const maxDepth = 500;

export function decodeManifest(value: JsonValue | undefined): Decoded {
  if (!isJsonObject(value)) return undecodable('the manifest is no object');
  const gvk = gvkOf(value);
  if (typeof gvk === 'string') return undecodable(gvk);
  const { metadata } = value;
  const fields = isJsonObject(metadata) ? metadata : {};
  const known = { gvk, namespace: textIn(fields, 'namespace'), name: textIn(fields, 'name') };
  const problem = problemOfMetadata(metadata) ?? problemOfDepth(value);
  if (problem !== undefined) return undecodable(problem, known);
  if (known.name === '' && textIn(fields, 'generateName') !== '') {
    const sentence =
      'the manifest has a generateName instead of a name, so nobody could find its object again; give it a name';
    return { refusal: 'FoundGenerateName', problem: sentence, known };
  }
  const object = (metadata === undefined ? { ...value, metadata: {} } : value) as KubeObject;
  return { object, gvk, known };
}

function undecodable(problem: string, known: KnownOfManifest = {}): Decoded {
  return { refusal: 'DecodingErred', problem, known };
}

/** A sentence where it does not say what it is. */
function gvkOf({ apiVersion, kind }: JsonObject): GroupVersionKind | string {
  if (typeof kind !== 'string' || kind === '') return 'the manifest has no kind';
  if (typeof apiVersion !== 'string' || apiVersion === '') return `the manifest of a ${kind} has no apiVersion`;
  const parts = apiVersion.split('/');
  const [group, version] = parts.length === 1 ? ['', parts[0]] : parts;
  if (parts.length > 2 || !group === (parts.length === 2) || !version) {
    return `the apiVersion of the manifest, ${JSON.stringify(apiVersion)}, is no version and no group with a version`;
  }
  return { group: group ?? '', version, kind };
}

function problemOfMetadata(metadata: JsonValue | undefined): string | undefined {
  if (metadata === undefined) return undefined;
  if (!isJsonObject(metadata)) return 'metadata is no object';
  const wrong = Object.entries(shapes).find(([field, fits]) => {
    const value = Object.hasOwn(metadata, field) ? metadata[field] : undefined;
    return value !== undefined && value !== null && !fits(value);
  });
  return wrong && `metadata.${wrong[0]} does not have the form that Kubernetes gives it`;
}

type Shape = (value: JsonValue) => boolean;

const isText: Shape = (value) => typeof value === 'string';
const isTexts: Shape = (value) => isJsonObject(value) && Object.values(value).every((each) => typeof each === 'string');
const isOwner: Shape = (value) =>
  isJsonObject(value) && ['apiVersion', 'kind', 'name', 'uid'].every((field) => typeof value[field] === 'string');

/** The fields that we read ourselves; the member's server judges the rest. */
const shapes: Readonly<Record<string, Shape>> = {
  name: isText,
  namespace: isText,
  generateName: isText,
  labels: isTexts,
  annotations: isTexts,
  finalizers: (value) => Array.isArray(value) && value.every(isText),
  ownerReferences: (value) => Array.isArray(value) && value.every(isOwner),
};

function textIn(object: JsonObject, field: string): string {
  const value = Object.hasOwn(object, field) ? object[field] : undefined;
  return typeof value === 'string' ? value : '';
}

/** Level by level, so that depth cannot exhaust the stack. */
function problemOfDepth(root: JsonObject): string | undefined {
  let level: JsonValue[] = [root];
  for (let depth = 0; depth <= maxDepth; depth++) {
    level = level.flatMap(childrenOf);
    if (level.length === 0) return undefined;
  }
  return `the manifest is nested more than ${maxDepth} levels deep`;
}

function childrenOf(value: JsonValue): JsonValue[] {
  const children = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return children.filter((child): child is JsonValue => typeof child === 'object' && child !== null);
}
