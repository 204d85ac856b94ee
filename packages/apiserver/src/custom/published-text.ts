import { elementsOf, endOfValue, memberOf, membersOf, stringifyJson } from '@flotilla/kube';
import { objectFields } from '@flotilla/schema';

/**
 * The schema of a definition's version as version 3 documents show it, cut out of the definition's stored text: parsing hundreds of
 * definitions to print them again takes most of a second. Undefined where fields below the root must be changed.
 */
export function publishedText(definition: string, version: string): string | undefined {
  const start = schemaStart(definition, version);
  if (start === undefined) return stringifyJson({ type: 'object' });
  const end = endOfValue(definition, start);
  const schema = definition.slice(start, end);
  return mustChangeFields(schema) ? undefined : withObjectFields(schema);
}

function schemaStart(definition: string, version: string): number | undefined {
  const spec = memberOf(definition, 0, 'spec');
  const versions = spec === undefined ? undefined : memberOf(definition, spec, 'versions');
  if (versions === undefined) return undefined;
  const wanted = stringifyJson(version);
  for (const element of elementsOf(definition, versions)) {
    const name = memberOf(definition, element, 'name');
    if (name === undefined || !definition.startsWith(wanted, name)) continue;
    const schema = memberOf(definition, element, 'schema');
    return schema === undefined ? undefined : memberOf(definition, schema, 'openAPIV3Schema');
  }
  return undefined;
}

/**
 * Embedded resources get fields, and so does what may be a number or a string without saying so. In a structural schema these types
 * stand in `anyOf` for that reason alone, so that equal counts mean that all say so.
 */
function mustChangeFields(schema: string): boolean {
  if (schema.includes('"x-kubernetes-embedded-resource":true')) return true;
  const eithers = count(schema, '"x-kubernetes-int-or-string":true');
  return eithers > 0 && eithers !== count(schema, '"anyOf":[{"type":"integer"},{"type":"string"}]');
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found++;
  return found;
}

/** The fields that every object has take the place of what the definition says of them. */
function withObjectFields(schema: string): string {
  const own = stringifyJson(objectFields('v3')).slice(1, -1);
  const members: string[] = [];
  const fields = [own];
  for (const { key, start, end } of membersOf(schema, 0)) {
    if (key === '"properties"') fields.push(...otherFields(schema, start));
    else members.push(`${key}:${schema.slice(start, end)}`);
  }
  return `{${[...members, `"properties":{${fields.join(',')}}`].join(',')}}`;
}

const ownFields = new Set(Object.keys(objectFields('v3')).map((name) => stringifyJson(name)));

function otherFields(schema: string, properties: number): string[] {
  const others = [...membersOf(schema, properties)].filter(({ key }) => !ownFields.has(key));
  return others.map(({ key, start, end }) => `${key}:${schema.slice(start, end)}`);
}
