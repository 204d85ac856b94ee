import { quote } from '@flotilla/kube';
import type { JsonSchema } from '../json-schema.ts';
import { someSchema } from '../structural/schema-walk.ts';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';
import { isKnownFormat } from './known-format.ts';
import { distinctSchemas } from './strictness.ts';

/** Formats that nobody will check; after an update only those that it brought. */
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
