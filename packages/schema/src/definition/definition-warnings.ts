import { quote } from '@flotilla/kube';
import type { JsonSchema } from '../json-schema.ts';
import { someSchema } from '../structural/schema-walk.ts';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';
import { distinctSchemas } from './strictness.ts';

/** Warns about formats that are not checked; on update only about new ones. */
export function definitionWarnings(definition: CustomResourceDefinition, old?: CustomResourceDefinition): string[] {
  const before = old === undefined ? new Set<string>() : unknownFormats(old);
  const now = unknownFormats(definition);
  return [...now].filter((format) => !before.has(format)).map((format) => `unrecognized format ${quote(format)}`);
}

function unknownFormats({ spec }: CustomResourceDefinition): Set<string> {
  const found = new Set<string>();
  for (const schema of distinctSchemas(spec)) someSchema(schema, (one) => noteUnknown(one, found));
  return found;
}

function noteUnknown({ type = '', format = '' }: JsonSchema, found: Set<string>): boolean {
  if (format !== '' && !isKnownFormat(format, type)) found.add(format);
  return false;
}

/** Formats that validation checks. All others are only documentation. */
const numberFormats: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

/** Dashes in names are ignored. */
const stringFormats: ReadonlySet<string> = new Set(
  (
    'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn ' +
    'hexcolor rgbcolor byte password date duration datetime k8sshortname k8slongname'
  ).split(' '),
);

function isKnownFormat(format: string, type: string): boolean {
  if (type === '' || type === 'string') return stringFormats.has(format.replaceAll('-', ''));
  return (Object.hasOwn(numberFormats, type) ? (numberFormats[type] ?? []) : []).includes(format);
}
