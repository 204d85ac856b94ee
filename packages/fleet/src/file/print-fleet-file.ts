import { isJsonObject, printYaml, stringifyJson, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { JsonSchema } from '@flotilla/schema';
import { checkedValue } from './check-value.ts';
import { fleet } from './fleet-schema.ts';
import type { FleetShape } from './fleet-shape.ts';

/** The file of a shape with all defaults. */
export function completeFleetFile({ file }: Pick<FleetShape, 'file'>): JsonObject {
  const report = ({ path, message }: { path: readonly unknown[]; message: string }): never => {
    throw new RangeError(`invalid shape: ${path.join('.')}: ${message}`);
  };
  const complete = checkedValue(file, fleet.json, [], { report, resolveFile: (name) => name });
  return complete as JsonObject;
}

/**
 * Prints the file of a shape with all defaults. The first value of each type has a comment for each field, and a line for
 * each field that is not set.
 */
export function printFleetFile(shape: Pick<FleetShape, 'file'>): string {
  const printer = new FilePrinter();
  printer.comment(fleet.json, 0);
  printer.object(completeFleetFile(shape), fleet.json, 0);
  return printer.text();
}

class FilePrinter {
  readonly #lines: string[] = [];
  /** Types whose fields have comments already. */
  readonly #described = new Set<JsonSchema>();

  text(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  comment({ description = '', ...schema }: JsonSchema, indent: number): void {
    const words = (schema.enum ?? []) as readonly string[];
    const choices = words.length > 1 ? ` One of ${words.join(', ')}.` : '';
    this.#write(`# ${description}${choices}`, indent);
  }

  object(value: JsonObject, schema: JsonSchema, indent: number): void {
    const isFirst = !this.#described.has(schema);
    this.#described.add(schema);
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const given = value[name];
      if (isFirst) this.comment(field, indent);
      if (given !== undefined) this.#entry(name, given, field, indent);
      else if (isFirst) this.#write(`# ${name}:`, indent);
    }
  }

  #entry(name: string, value: JsonValue, schema: JsonSchema, indent: number): void {
    if (Array.isArray(value) && value.length > 0) {
      this.#write(`${keyText(name)}:`, indent);
      for (const item of value) this.#item(item, schema.items as JsonSchema, indent);
    } else if (isJsonObject(value) && Object.keys(value).length > 0) {
      this.#write(`${keyText(name)}:`, indent);
      if (schema.properties) this.object(value, schema, indent + 2);
      else for (const [key, item] of Object.entries(value)) this.#entry(key, item ?? null, {}, indent + 2);
    } else this.#write(`${keyText(name)}: ${scalarText(value)}`, indent);
  }

  #item(value: JsonValue, schema: JsonSchema, indent: number): void {
    if (!isJsonObject(value) || schema.properties === undefined) return this.#write(`- ${scalarText(value)}`, indent);
    const first = this.#lines.length;
    this.object(value, schema, indent + 2);
    this.#lines[first] = `${' '.repeat(indent)}- ${this.#lines[first]?.trimStart() ?? '{}'}`;
  }

  #write(text: string, indent: number): void {
    this.#lines.push(`${' '.repeat(indent)}${text}`);
  }
}

function keyText(name: string): string {
  return scalarText(name);
}

/** In one line. JSON is YAML, too. */
function scalarText(value: JsonValue): string {
  const text = printYaml(value).trimEnd();
  return text.includes('\n') ? stringifyJson(value) : text;
}
