import { isJsonObject, quote, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { FieldValidation } from '../../request/write-options.ts';
import type { JsonBody } from './read-body.ts';

/** How the body was validated. */
interface Validation {
  readonly expected: { readonly isUnstructured?: boolean };
  readonly validation: FieldValidation;
}

/** Repeated and unknown fields. YAML's decoder reports all repeated fields first. */
export function strictProblems(
  value: JsonObject,
  { duplicates, encoding }: JsonBody,
  unknownFields: readonly string[],
  { expected, validation }: Validation,
): string[] {
  const unknown = unknownFields.map(unknownField);
  if (encoding === 'yaml') {
    const isListed = validation === 'Warn' || duplicates.length === 0;
    return [...(isListed ? duplicates : [yamlDuplicates(duplicates)]), ...unknown];
  }
  const repeated = duplicates.map(duplicateField);
  if (expected.isUnstructured === true) return [...repeated, ...unknown];
  if (repeated.length === 0 || unknown.length === 0) return [...unknown, ...repeated];
  const problems = [
    ...duplicates.map((path) => [path, duplicateField(path)] as const),
    ...unknownFields.map((path) => [path, unknownField(path)] as const),
  ];
  return inDocumentOrder(value, new Map(problems));
}

export function yamlDuplicates(problems: readonly string[]): string {
  return `yaml: unmarshal errors:\n${problems.map((problem) => `  ${problem}`).join('\n')}`;
}

export function unknownField(path: string): string {
  return `unknown field ${quote(path)}`;
}

function duplicateField(path: string): string {
  return `duplicate field ${quote(path)}`;
}

/** Deeper than any valid object. A hostile body may be deeper. */
const maxDepth = 200;

/** Sorts problems by the position of their fields in the body. `problems` has them by path. */
function inDocumentOrder(body: JsonValue, problems: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  const visit = (path: string): void => {
    const problem = problems.get(path);
    if (problem !== undefined) found.push(problem);
  };
  walk(body, '', 0, visit);
  return found.length === problems.size ? found : [...problems.values()];
}

function walk(value: JsonValue, path: string, depth: number, visit: (path: string) => void): void {
  if (depth > maxDepth) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, `${path}[${index}]`, depth + 1, visit);
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      const inner = path === '' ? key : `${path}.${key}`;
      visit(inner);
      if (member !== undefined) walk(member, inner, depth + 1, visit);
    }
  }
}
