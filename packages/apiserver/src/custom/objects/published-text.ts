import { elementsOf, endOfValue, memberOf, membersOf, stringifyJson, type MemberBytes } from '@flotilla/kube';
import { objectFields } from '@flotilla/schema';

/**
 * The schema of a version as OpenAPI v3 shows it: pieces of the stored definition, without the closing brace. Parsing and
 * printing hundreds of definitions takes most of a second. Undefined if fields below the root must change.
 */
export function publishedPieces(stored: Uint8Array, version: string): Uint8Array[] | undefined {
  const definition = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const start = schemaStart(definition, version);
  if (start === undefined) return [Buffer.from('{"type":"object"')];
  let fields: readonly MemberBytes[] = [];
  const { members, end } = membersOf(definition, start, (bytes, at, key) => {
    if (key !== propertiesKey) return endOfValue(bytes, at);
    const properties = membersOf(bytes, at);
    fields = properties.members;
    return properties.end;
  });
  if (mustChangeFields(definition.subarray(start, end))) return undefined;
  return [
    Buffer.from('{'),
    ...members.filter(({ key }) => key !== propertiesKey).flatMap((member) => [bytesOf(definition, member), comma]),
    Buffer.from(`${propertiesKey}:${ownText}`),
    ...fields.filter(({ key }) => !ownKeys.has(key)).flatMap((member) => [comma, bytesOf(definition, member)]),
    Buffer.from('}'),
  ];
}

function schemaStart(definition: Buffer, version: string): number | undefined {
  const spec = memberOf(definition, 0, 'spec');
  const versions = spec === undefined ? undefined : memberOf(definition, spec, 'versions');
  if (versions === undefined) return undefined;
  for (const element of elementsOf(definition, versions)) {
    const name = memberOf(definition, element, 'name');
    if (name === undefined) continue;
    if (definition.toString('utf8', name, endOfValue(definition, name)) !== stringifyJson(version)) continue;
    const schema = memberOf(definition, element, 'schema');
    return schema === undefined ? undefined : memberOf(definition, schema, 'openAPIV3Schema');
  }
  return undefined;
}

/**
 * OpenAPI adds fields to embedded resources, and to int-or-string types without `x-kubernetes-int-or-string`. A structural
 * schema has these types only in `anyOf`, so equal counts mean that all are declared.
 */
function mustChangeFields(schema: Buffer): boolean {
  if (schema.includes('"x-kubernetes-embedded-resource":true')) return true;
  const intOrStrings = count(schema, '"x-kubernetes-int-or-string":true');
  return intOrStrings > 0 && intOrStrings !== count(schema, '"anyOf":[{"type":"integer"},{"type":"string"}]');
}

function count(bytes: Buffer, part: string): number {
  let found = 0;
  for (let at = bytes.indexOf(part); at >= 0; at = bytes.indexOf(part, at + part.length)) found++;
  return found;
}

/** These replace the fields of the definition. */
const ownFields = objectFields('v3');
const ownKeys: ReadonlySet<string> = new Set(Object.keys(ownFields).map((name) => stringifyJson(name)));
const ownText = stringifyJson(ownFields).slice(0, -1);

const propertiesKey = '"properties"';
const comma = Buffer.from(',');

/** The bytes of a member as stored. */
function bytesOf(bytes: Buffer, { key, start, end }: MemberBytes): Uint8Array {
  return bytes.subarray(start - 1 - Buffer.byteLength(key), end);
}
