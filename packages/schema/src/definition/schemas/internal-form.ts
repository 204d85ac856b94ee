/**
 * Some messages contain a whole version, schema or rule. Kubernetes prints its internal Go types there: every field
 * under its Go name, set or not.
 */
import { goJson, type FieldError, type JsonValue } from '@flotilla/kube';
import type { JsonSchema, ValidationRule } from '../../json-schema.ts';
import type { DefinitionVersion, PrinterColumn, ScalePaths } from '../custom-resource-definition.ts';

/** An error about a value that is already printed. */
export function invalidPrinted(field: string, printed: string, detail: string): FieldError {
  return { type: 'FieldValueInvalid', field, body: `Invalid value: ${printed}: ${detail}` };
}

export function printVersions(versions: readonly DefinitionVersion[]): string {
  return printList(versions, printVersion);
}

export function printSchema(schema: JsonSchema): string {
  return struct(schemaFields.map(([name, print]) => [name, print(schema)]));
}

/** `items` may be one schema or a list of them. */
export function printItems(items: NonNullable<JsonSchema['items']>): string {
  const isList = Array.isArray(items);
  return struct([
    ['Schema', isList ? 'null' : printSchema(items as JsonSchema)],
    ['JSONSchemas', isList ? printList(items as JsonSchema[], printSchema) : 'null'],
  ]);
}

export function printRule(rule: ValidationRule): string {
  return struct([
    ['Rule', json(rule.rule)],
    ['Message', json(rule.message ?? '')],
    ['MessageExpression', json(rule.messageExpression ?? '')],
    ['Reason', json(rule.reason)],
    ['FieldPath', json(rule.fieldPath ?? '')],
    ['OptionalOldSelf', json(rule.optionalOldSelf)],
  ]);
}

function printVersion(version: DefinitionVersion): string {
  const { schema, subresources } = version;
  return struct([
    ['Name', json(version.name)],
    ['Served', json(version.served)],
    ['Storage', json(version.storage)],
    ['Deprecated', json(version.deprecated ?? false)],
    ['DeprecationWarning', json(version.deprecationWarning)],
    ['Schema', optional(schema, (it) => struct([['OpenAPIV3Schema', optional(it.openAPIV3Schema, printSchema)]]))],
    ['Subresources', optional(subresources, printSubresources)],
    ['AdditionalPrinterColumns', printList(version.additionalPrinterColumns, printColumn)],
    ['SelectableFields', printList(version.selectableFields, (it) => struct([['JSONPath', json(it.jsonPath)]]))],
  ]);
}

function printSubresources({ status, scale }: NonNullable<DefinitionVersion['subresources']>): string {
  return struct([
    ['Status', status === undefined ? 'null' : '{}'],
    ['Scale', optional(scale, printScale)],
  ]);
}

function printScale({ specReplicasPath, statusReplicasPath, labelSelectorPath }: ScalePaths): string {
  return struct([
    ['SpecReplicasPath', json(specReplicasPath)],
    ['StatusReplicasPath', json(statusReplicasPath)],
    ['LabelSelectorPath', json(labelSelectorPath)],
  ]);
}

function printColumn(column: PrinterColumn): string {
  return struct([
    ['Name', json(column.name)],
    ['Type', json(column.type)],
    ['Format', json(column.format ?? '')],
    ['Description', json(column.description ?? '')],
    ['Priority', json(column.priority ?? 0)],
    ['JSONPath', json(column.jsonPath)],
  ]);
}

type FieldPrinter = readonly [name: string, print: (schema: JsonSchema) => string];

const schemaFields: readonly FieldPrinter[] = [
  ['ID', ({ id }) => json(id ?? '')],
  ['Schema', ({ $schema }) => json($schema ?? '')],
  ['Ref', ({ $ref }) => json($ref)],
  ['Description', ({ description }) => json(description ?? '')],
  ['Type', ({ type }) => json(type ?? '')],
  ['Nullable', ({ nullable }) => json(nullable ?? false)],
  ['Format', ({ format }) => json(format ?? '')],
  ['Title', ({ title }) => json(title ?? '')],
  ['Default', ({ default: value }) => json(value)],
  ['Maximum', ({ maximum }) => json(maximum)],
  ['ExclusiveMaximum', ({ exclusiveMaximum }) => json(exclusiveMaximum ?? false)],
  ['Minimum', ({ minimum }) => json(minimum)],
  ['ExclusiveMinimum', ({ exclusiveMinimum }) => json(exclusiveMinimum ?? false)],
  ['MaxLength', ({ maxLength }) => json(maxLength)],
  ['MinLength', ({ minLength }) => json(minLength)],
  ['Pattern', ({ pattern }) => json(pattern ?? '')],
  ['MaxItems', ({ maxItems }) => json(maxItems)],
  ['MinItems', ({ minItems }) => json(minItems)],
  ['UniqueItems', ({ uniqueItems }) => json(uniqueItems ?? false)],
  ['MultipleOf', ({ multipleOf }) => json(multipleOf)],
  ['Enum', ({ enum: choices }) => printList(choices, json)],
  ['MaxProperties', ({ maxProperties }) => json(maxProperties)],
  ['MinProperties', ({ minProperties }) => json(minProperties)],
  ['Required', ({ required }) => printList(required, json)],
  ['Items', ({ items }) => optional(items, printItems)],
  ['AllOf', ({ allOf }) => printList(allOf, printSchema)],
  ['OneOf', ({ oneOf }) => printList(oneOf, printSchema)],
  ['AnyOf', ({ anyOf }) => printList(anyOf, printSchema)],
  ['Not', ({ not }) => optional(not, printSchema)],
  ['Properties', ({ properties }) => printMap(properties, printSchema)],
  ['AdditionalProperties', ({ additionalProperties }) => optional(additionalProperties, printSchemaOrBool)],
  ['PatternProperties', ({ patternProperties }) => printMap(patternProperties, printSchema)],
  ['Dependencies', ({ dependencies }) => printMap(dependencies, printDependency)],
  ['AdditionalItems', ({ additionalItems }) => optional(additionalItems, printSchemaOrBool)],
  ['Definitions', ({ definitions }) => printMap(definitions, printSchema)],
  ['ExternalDocs', ({ externalDocs }) => optional(externalDocs, printDocs)],
  ['Example', ({ example }) => json(example)],
  ['XPreserveUnknownFields', (schema) => json(schema['x-kubernetes-preserve-unknown-fields'])],
  ['XEmbeddedResource', (schema) => json(schema['x-kubernetes-embedded-resource'] ?? false)],
  ['XIntOrString', (schema) => json(schema['x-kubernetes-int-or-string'] ?? false)],
  ['XListMapKeys', (schema) => printList(schema['x-kubernetes-list-map-keys'], json)],
  ['XListType', (schema) => json(schema['x-kubernetes-list-type'])],
  ['XMapType', (schema) => json(schema['x-kubernetes-map-type'])],
  ['XValidations', (schema) => printList(schema['x-kubernetes-validations'], printRule)],
];

function printSchemaOrBool(value: JsonSchema | boolean): string {
  const isSchema = typeof value === 'object';
  return struct([
    ['Allows', json(isSchema || value)],
    ['Schema', isSchema ? printSchema(value) : 'null'],
  ]);
}

function printDependency(value: JsonSchema | readonly string[]): string {
  const isList = Array.isArray(value);
  return struct([
    ['Schema', isList ? 'null' : printSchema(value as JsonSchema)],
    ['Property', isList ? printList(value as string[], json) : 'null'],
  ]);
}

function printDocs({ description = '', url = '' }: NonNullable<JsonSchema['externalDocs']>): string {
  return struct([
    ['Description', json(description)],
    ['URL', json(url)],
  ]);
}

function struct(fields: readonly (readonly [name: string, printed: string])[]): string {
  return `{${fields.map(([name, printed]) => `"${name}":${printed}`).join(',')}}`;
}

function optional<T>(value: T | undefined, print: (value: T) => string): string {
  return value === undefined ? 'null' : print(value);
}

function printList<T>(list: readonly T[] | undefined, print: (item: T) => string): string {
  return optional(list, (items) => `[${items.map((item) => print(item)).join(',')}]`);
}

function printMap<T>(map: Readonly<Record<string, T>> | undefined, print: (value: T) => string): string {
  return optional(map, (it) => {
    const entries = Object.entries(it).map(([key, value]) => `${json(key)}:${print(value)}`);
    return `{${entries.join(',')}}`;
  });
}

function json(value: JsonValue | undefined): string {
  return goJson(value ?? null);
}
