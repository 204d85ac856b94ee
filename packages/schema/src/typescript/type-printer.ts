import { JsonFloat, type JsonValue } from '@flotilla/kube';
import { itemsOf, valuesOf, type JsonSchema } from '../json-schema.ts';
import { comment, pascalCase, propertyKey, type TypeNames } from './source-text.ts';

/** Prints schemas as TypeScript types, and collects interfaces for objects with fields. */
export class TypePrinter {
  readonly interfaces: string[] = [];
  readonly #names: TypeNames;

  constructor(names: TypeNames) {
    this.#names = names;
  }

  /** Adds an interface for these fields; `extra` are lines before them. */
  addInterface(name: string, schema: JsonSchema, extra: readonly string[] = []): void {
    const index = this.interfaces.push('') - 1;
    const required = new Set(schema.required);
    const lines = Object.entries(schema.properties ?? {}).map(
      ([field, property]) =>
        `${comment(property.description, '  ')}  ${propertyKey(field)}${required.has(field) ? '' : '?'}: ` +
        `${this.typeOf(property, `${name}${pascalCase(field)}`)};`,
    );
    if (isOpen(schema)) lines.push('  [field: string]: unknown;');
    const heading = `${comment(schema.description, '')}export interface ${name} {`;
    this.interfaces[index] = [heading, ...extra, ...lines, '}'].join('\n');
  }

  typeOf(schema: JsonSchema, name: string): string {
    const type = this.#plainType(schema, name);
    return schema.nullable === true && type !== 'unknown' ? `${type} | null` : type;
  }

  #plainType(schema: JsonSchema, name: string): string {
    if (schema.enum && schema.enum.length > 0) return schema.enum.map(literalType).join(' | ');
    if (schema['x-kubernetes-int-or-string'] === true) return 'number | string';
    if (schema.type === 'array') return this.#listType(itemsOf(schema), name);
    if (schema.type === 'object') return this.#objectType(schema, name);
    return scalarTypes.get(schema.type ?? '') ?? 'unknown';
  }

  #listType(items: JsonSchema | undefined, name: string): string {
    if (!items) return 'unknown[]';
    const element = this.typeOf(items, name);
    return /^[\w.]+$/.test(element) ? `${element}[]` : `Array<${element}>`;
  }

  #objectType(schema: JsonSchema, name: string): string {
    const values = valuesOf(schema);
    if (values) return `Record<string, ${this.typeOf(values, name)}>`;
    const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
    if (!schema.properties) return isEmbedded ? 'KubernetesObject' : 'Record<string, unknown>';
    const taken = this.#names.take(name);
    this.addInterface(taken, schema);
    return isEmbedded ? `KubernetesObject & ${taken}` : taken;
  }
}

/** Numbers that are not exact doubles, and values that are not scalars, have no literal type. */
function literalType(value: JsonValue): string {
  if (typeof value === 'bigint' || value instanceof JsonFloat) return 'number';
  return typeof value === 'object' && value !== null ? 'unknown' : JSON.stringify(value);
}

const scalarTypes: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['boolean', 'boolean'],
  ['integer', 'number'],
  ['number', 'number'],
]);

function isOpen(schema: JsonSchema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}
